import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CitationFilter, listCitations } from '../../../core/answers/citations.ts';
import { itInSoak } from '../../support/it-in-soak.ts';
import { buildBacktickRuns } from '../../support/backtick-runs.ts';
import { assertLoopBlockedBelow } from '../../support/loop-meter.ts';
import { buildPassage } from './support.ts';

function filterCitations(pieces: string[], passageCount = 2): string {
  const filter = new CitationFilter(passageCount);
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

describe('CitationFilter', () => {
  for (const [text, expected] of [
    ['Thirty days [1].', 'Thirty days [1].'],
    ['Thirty days [3].', 'Thirty days.'],
    ['Thirty days [0] or [12] more', 'Thirty days or more'],
    ['Both [1, 2] and [2,9].', 'Both [1][2] and [2].'],
    ['Adjacent [1][7][2]!', 'Adjacent [1][2]!'],
    ['Not a citation: [see below], [1a], [ ], [', 'Not a citation: [see below], [1a], [ ], ['],
    ['Write `list[0]` or ``a[9]`` here [9].', 'Write `list[0]` or ``a[9]`` here.'],
    ['```js\nlist[0];\n\nlist[9];\n```\nDone [9].', '```js\nlist[0];\n\nlist[9];\n```\nDone.'],
    ['A stray ` tick.\n\nThen [9] a claim.', 'A stray ` tick.\n\nThen a claim.'],
  ] as const) {
    it(`turns ${JSON.stringify(text)} into ${JSON.stringify(expected)}, however the stream is split`, () => {
      assert.equal(filterCitations([text]), expected);
      assert.equal(filterCitations(Array.from(text)), expected);
    });
  }

  it('shows text at once and holds back only a possible citation', () => {
    const filter = new CitationFilter(2);
    assert.equal(filter.push('Thirty days'), 'Thirty days');
    assert.equal(filter.push(' [1'), '');
    assert.equal(filter.push('2'), '');
    assert.equal(filter.push('] or so'), ' or so');
    assert.equal(filter.push('. ['), '.');
    assert.equal(filter.push('see'), ' [see');
    assert.equal(filter.end(), '');
  });

  it('returns the same text however the response is split', () => {
    const alphabet = fc.constantFrom('[', ']', '1', '9', ',', ' ', '`', '\n', 'a', '.');
    fc.assert(
      fc.property(fc.array(fc.array(alphabet, { maxLength: 6 }), { maxLength: 12 }), (parts) => {
        const pieces = parts.map((part) => part.join(''));
        assert.equal(filterCitations(pieces), filterCitations([pieces.join('')]));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('listCitations', () => {
  const passages = [
    buildPassage({ text: 'Shipping is free. Returns are accepted within 30 days. Ask us by email.' }),
    buildPassage({
      documentId: 'doc-2',
      chunkId: 'chunk-2',
      title: 'Prices',
      sourceUrl: 'https://example.com/prices',
      text: 'A pass costs 12 euros a month.',
    }),
  ];

  it('names each cited passage once, in the order of the numbers, with the sentence that supports the answer', async () => {
    assert.deepEqual(
      await listCitations('A pass costs 12 euros [2]. You can return items for 30 days [1][2].', passages),
      [
        {
          index: 1,
          document_id: 'doc-1',
          chunk_id: 'chunk-1',
          title: 'Handbook',
          source_url: null,
          quote: 'Returns are accepted within 30 days.',
        },
        {
          index: 2,
          document_id: 'doc-2',
          chunk_id: 'chunk-2',
          title: 'Prices',
          source_url: 'https://example.com/prices',
          quote: 'A pass costs 12 euros a month.',
        },
      ],
    );
  });

  it('does not take an index into an array for a citation', async () => {
    assert.deepEqual(await listCitations('Use `list[1]`.', passages), []);
  });

  itInSoak('finds no citation in code, whatever runs of backticks delimit it', async () => {
    const code = /(`{3,})[\s\S]*?(?:\1|$)|`[^`\n]*`/g;
    const part = fc.constantFrom('`', '``', '```', '````', '\n', ' ', 'a', '[1]', '[2]');
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 24 }), async (parts) => {
        const answer = parts.join('');
        const cited = ['[1]', '[2]'].filter((marker) => answer.replace(code, '').includes(marker));
        const found = (await listCitations(answer, passages)).map(({ index }) => `[${index}]`);
        assert.deepEqual(found, cited, answer);
      }),
      { numRuns: 5_000 },
    );
  });

  itInSoak(
    'takes less than 50 ms of CPU time for the longest answer if it consists of backticks',
    async () => {
      for (const answer of buildBacktickRuns(262_144))
        await assertLoopBlockedBelow(
          50,
          () => listCitations(answer, passages),
          `${answer.indexOf('a')} backticks`,
        );
    },
  );

  it('quotes the sentence that supports the statement, not a sentence that shares more common words', async () => {
    const text =
      'A day pass for the bikes of the city and for all stations of the city is sold at the stations. The day pass costs 12 euros. It ends at midnight.';
    const [citation] = await listCitations('You can ride all day. A day pass costs 12 euros [1].', [
      buildPassage({ text }),
    ]);
    assert.equal(citation?.quote, 'The day pass costs 12 euros.');
  });

  it('cuts a long quote between words', async () => {
    const [citation] = await listCitations('Words [1].', [buildPassage({ text: 'word '.repeat(200) })]);
    assert.equal(citation?.quote, `${'word '.repeat(60).trimEnd()}…`);
  });

  it('keeps a quote of 300 characters whole, and cuts a quote of 301 characters', async () => {
    const readQuote = async (length: number) =>
      (await listCitations('Bikes [1].', [buildPassage({ text: 'x'.repeat(length) })]))[0]?.quote;
    assert.equal(await readQuote(300), 'x'.repeat(300));
    assert.match((await readQuote(301)) ?? '', /^x{1,300}…$/);
  });

  it('cuts no character in two', async () => {
    for (const start of ['x', 'xy']) {
      const [citation] = await listCitations('Bikes [1].', [
        buildPassage({ text: start + '🚲'.repeat(200) }),
      ]);
      assert.ok(citation?.quote.isWellFormed());
    }
  });
});
