import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CitationFilter, listCitations } from '../../../core/answers/citations.ts';
import { measureCpuMs } from '../../support/cost.ts';
import { itInSoak } from '../../support/it-in-soak.ts';
import { buildPassage } from './support.ts';

const passages = [
  buildPassage({ title: 'Handbook.pdf' }),
  buildPassage({ documentId: 'doc-2', title: 'Prices and fees', sourceUrl: 'https://x.test/prices' }),
];

function clean(pieces: string[]): { text: string; cites: boolean } {
  const filter = new CitationFilter(passages.length, passages);
  const text = pieces.map((piece) => filter.push(piece)).join('') + filter.end();
  return { text, cites: filter.cites };
}

/** Cleans an answer in one piece and in characters. Returns its text and the numbers of its citations. */
async function read(answer: string): Promise<[string, number[]]> {
  const whole = clean([answer]);
  assert.deepEqual(clean(Array.from(answer)), whole);
  const numbers = (await listCitations(whole.text, passages)).map(({ index }) => index);
  assert.equal(whole.cites, numbers.length > 0);
  return [whole.text, numbers];
}

describe('CitationFilter', () => {
  for (const [mark, expected, numbers] of [
    ['【1】', '[1]', [1]],
    ['【1†source】', '[1]', [1]],
    ['【1:0†L3-L5】【2†x】', '[1][2]', [1, 2]],
    ['【1†a, 2†b】', '[1][2]', [1, 2]],
    ['【来源1】', '[1]', [1]],
    ['［1］', '[1]', [1]],
    ['［１，２］', '[1][2]', [1, 2]],
    ['〔2〕', '[2]', [2]],
    ['[Source 1]', '[1]', [1]],
    ['[Sources 1, 2]', '[1][2]', [1, 2]],
    ['[source: 1, source: 2]', '[1][2]', [1, 2]],
    ['[Source #1]', '[1]', [1]],
    ['[Source 1: Handbook]', '[1]', [1]],
    ['[Document 2]', '[2]', [2]],
    ['[doc1]', '[1]', [1]],
    ['[Ref. 1]', '[1]', [1]],
    ['[Quelle 1]', '[1]', [1]],
    ['[Quellen 1 und 2]', '[1][2]', [1, 2]],
    ['[Fuente 1]', '[1]', [1]],
    ['[Référence 1]', '[1]', [1]],
    ['[Fonte 2]', '[2]', [2]],
    ['[Bron 1]', '[1]', [1]],
    ['[Referência 1]', '[1]', [1]],
    ['[^1]', '[1]', [1]],
    ['[^1^][^2^]', '[1][2]', [1, 2]],
    ['[1, 2]', '[1][2]', [1, 2]],
    ['[1,2]', '[1][2]', [1, 2]],
    ['[1-2]', '[1][2]', [1, 2]],
    ['[1–3]', '[1][2]', [1, 2]],
    ['[1][2]', '[1][2]', [1, 2]],
    ['[[1]]', '[1]', [1]],
    ['\\[1\\]', '[1]', [1]],
    ['[1](https://x.test/prices)', '[1](https://x.test/prices)', []],
    ['[2](https://x.test/prices)', '[2]', [2]],
  ] as const)
    it(`reads ${mark} as ${expected}`, async () =>
      assert.deepEqual(await read(`Five euros ${mark}.`), [`Five euros ${expected}.`, numbers]));

  for (const mark of ['[7]', '[7, 8]', '[Source 7]', '【7】', '[^7]', '［７］'])
    it(`removes ${mark} of two passages`, async () =>
      assert.deepEqual(await read(`Five euros ${mark}.`), ['Five euros.', []]));

  for (const text of [
    'It is (1) or (Source 1).',
    'Open [10-18] since [2020].',
    'Take a [source] or [see 1].',
    'Write `a[1]` and `【1】`.',
    '```\na[1] 【1】 [Source 1]\n```',
    '~~~\na[1]\n~~~\n',
    'Read [this [1] page](https://y.test/[2]).',
    'Read ![picture 1](a[1].png).',
    'Open https://x.test/?a[0]=1&b[1]=2 now.',
  ])
    it(`leaves ${JSON.stringify(text)} unchanged`, async () =>
      assert.deepEqual(await read(text), [text, []]));

  for (const [opening, item] of [
    ['[', '#1,'],
    ['[', '^1 , '],
    ['[', 'Source 1, '],
    ['[', 'Source : # 1 and '],
    ['[[', 'Quelle 1, '],
    ['\\[', '@1;'],
    ['【', '1:;'],
    ['【', '1†a、'],
    ['［', 'doc 1: & '],
  ] as const)
    it(`reads unclosed marks of ${opening}${item} in linear time`, () => {
      const mark = opening + item.repeat(Math.floor((159 - opening.length) / item.length));
      for (const answer of [
        mark,
        `${mark} x`,
        mark.repeat(100),
        opening + item.repeat(16_384 / item.length),
      ]) {
        let text = '';
        const costMs = measureCpuMs(() => ({ text } = clean([answer])));
        assert.equal(text, answer);
        assert(costMs < 200, `${costMs} ms`);
      }
    });

  it('reads a mark behind an address', async () =>
    assert.deepEqual(await read('See https://x.test/a[1].'), ['See https://x.test/a[1].', [1]]));

  for (const list of [
    'Sources:\n[1] Handbook',
    '**Sources:**\n- [1] Handbook\n- [2] Prices',
    '### Quellen\n\n1. Handbook\n2. Prices and fees\n',
    '📚 Fuentes\n* Handbook, p. 3',
    'References\n1. Doe, J. (2020)',
    '来源：\n【1】Handbook',
    '[1]: https://x.test/prices',
    '[^1]: Handbook, page 3',
    '---\n[1] Employee manual',
    'Source 1: Handbook.pdf',
    'Sources: [1], [2]',
    '*Source: [Prices](https://x.test/prices)*',
    '(Quelle: [1])',
    'Sources:',
  ])
    it(`removes ${JSON.stringify(list)} at the end`, async () =>
      assert.deepEqual(await read(`Five euros [1].\n\n${list}`), ['Five euros [1].', [1]]));

  for (const [list, expected] of [
    ['Sources:\n1. Handbook\n2. Prices and fees', '[1][2]'],
    ['Source: [1]', '[1]'],
    ['Quelle: Handbook', '[1]'],
    ['Sources: [1], [7]', '[1]'],
    ['[2]: https://x.test/prices', '[2]'],
  ] as const)
    it(`moves the sources of ${JSON.stringify(list)} behind an answer without marks`, async () =>
      assert.equal((await read(`Five euros.\n\n${list}`))[0], `Five euros. ${expected}`));

  for (const text of [
    'Five euros [1].\n\nSources:\n[1] Handbook\n\nAsk us for more.',
    'Five euros [1].\n\n[1] Lockers are by the door.',
    'Five euros [1].\n\n- [1] Lockers: five euros\n- [1] Towels: two euros',
    'Good ones:\n\nSources:\n- Oranges\n- Lemons',
    'Bring these [1]:\nDocument 1: passport\nDocument 2: visa',
    'Your booking:\nReference: AB-123 [1]',
    'Sources of income [1]:\n- rent\n- interest',
  ])
    it(`keeps the lines of ${JSON.stringify(text)}`, async () => assert.equal((await read(text))[0], text));

  itInSoak('returns the same text however an answer with marks and lists is split', () => {
    const part = fc.constantFrom(
      '[1]',
      '[9]',
      '[1-2]',
      '[Source 1]',
      '【1】',
      '[a [1] b](u)',
      '[1](',
      'https://x.test/a',
      '[0]=1',
      '`',
      '~~~',
      '\n',
      '\n\n',
      'Sources:',
      '- ',
      '1. ',
      '[1]: ',
      'Handbook',
      'text. ',
      '[',
      ']',
      '(',
      ')',
      ' ',
      '**',
      '[^',
      '---',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 16 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const answer = parts.join('');
        const pieces = answer.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const whole = clean([answer]);
        assert.deepEqual(clean(pieces), whole);
        assert.deepEqual(clean(parts), whole);
      }),
      { numRuns: 3000 },
    );
  });
});
