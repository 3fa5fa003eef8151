import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CitationFilter, listCitations } from '../../../core/answers/citations.ts';
import { assertCpuBelow } from '../../support/cost.ts';
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

/**
 * Removes wrong citation marks from an answer, given whole and character by character, which must agree.
 * Returns the text and the numbers of its citations.
 */
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
    ['[1†L1-L4]', '[1]', [1]],
    ['[1†Handbook.pdf]', '[1]', [1]],
    ['[Context 1]', '[1]', [1]],
    ['[Kontext 2]', '[2]', [2]],
    ['<cite>1</cite>', '[1]', [1]],
    ['<cite>[1, 2]</cite>', '[1][2]', [1, 2]],
    ['<ref>2</ref>', '[2]', [2]],
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
    ['[1](#source-1)', '[1]', [1]],
    ['[doc_1]', '[1]', [1]],
    ['[document index="1"]', '[1]', [1]],
    ['[1, p. 3]', '[1]', [1]],
    ['[1|2]', '[1][2]', [1, 2]],
    ['[źródło 1]', '[1]', [1]],
    ['[출처 1]', '[1]', [1]],
    ['[مصدر 1]', '[1]', [1]],
    ['[Source: Handbook.pdf]', '[1]', [1]],
    ['(Source: Prices and fees)', '[2]', [2]],
    ['(Source 1)', '[1]', [1]],
    ['(Sources 1, 2)', '[1][2]', [1, 2]],
    ['(source: 1)', '[1]', [1]],
    ['(Quellen 1 und 2)', '[1][2]', [1, 2]],
    ['(see [1])', '[1]', [1]],
    ['(siehe [1], [2])', '[1][2]', [1, 2]],
    ['(see [1] and [2])', '[1][2]', [1, 2]],
    ['(Source: [1])', '[1]', [1]],
    ['([1])', '[1]', [1]],
    ['(1)', '[1]', [1]],
    ['(1, 2)', '[1][2]', [1, 2]],
    ['（１）', '[1]', [1]],
    ['¹', '[1]', [1]],
    ['¹,²', '[1][2]', [1, 2]],
    ['⁽²⁾', '[2]', [2]],
    ['<sup>1</sup>', '[1]', [1]],
    ['<sup>[1]</sup>', '[1]', [1]],
  ] as const)
    it(`reads ${mark} as ${expected}`, async () =>
      assert.deepEqual(await read(`Five euros ${mark}.`), [`Five euros ${expected}.`, numbers]));

  for (const [text, expected, numbers] of [
    [
      'The fee is five euros (1), and due on Monday (2).',
      'The fee is five euros [1], and due on Monday [2].',
      [1, 2],
    ],
    ['The fee (Source 1) is five euros.', 'The fee [1] is five euros.', [1]],
    ['Five euros.¹ Ten are due later.²', 'Five euros.[1] Ten are due later.[2]', [1, 2]],
    ['Five euros. (1)', 'Five euros. [1]', [1]],
    ['Five euros (1)\n\nTen later (2)\n', 'Five euros [1]\n\nTen later [2]\n', [1, 2]],
    ['费用为五欧元（1）。', '费用为五欧元[1]。', [1]],
    ['費用は五ユーロです¹。', '費用は五ユーロです[1]。', [1]],
    ['**Five euros** (1).', '**Five euros** [1].', [1]],
    [
      '[cite_start]Five euros[cite: 1, 2]. [cite_start]Ten later[cite: 2].',
      'Five euros[1][2]. Ten later[2].',
      [1, 2],
    ],
  ] as const)
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(expected)}`, async () =>
      assert.deepEqual(await read(text), [expected, numbers]));

  for (const mark of ['[7]', '[7, 8]', '[Source 7]', '【7】', '[^7]', '［７］', '(Source 7)', '(see [7])'])
    it(`removes ${mark}, which names none of two passages`, async () =>
      assert.deepEqual(await read(`Five euros ${mark}.`), ['Five euros.', []]));

  for (const text of [
    'It is (1) or two.',
    'Do this:\n(1) Open the door.\n(2) Close it.',
    'First do this. (1) Open the door. (2) Close it.',
    'See § 5 (1), Art. 3 Abs. (2) and paragraph (1).',
    'Call f(1), then print report(2).',
    'Go to step (1).',
    'Five euros (7).',
    'The hall has 10³ seats on 100 m².',
    'Energy is mc², and x² is a square.',
    'It weighs 10<sup>2</sup> kg, or H<sub>2</sub>O.',
    'Mix 3 liters¹ of it.',
    'Five euros⁷.',
    '(Source 1) is the handbook.',
    'Documents:\n- (Document 1) a passport',
    '[Source: the minister] said so (Source: his office).',
    '`(1)` and `¹`',
    'Open [10-18] since [2020].',
    'Take a [source] or [see 1].',
    'Read <cite>The fees</cite> or <ref name="a">1</ref>, [1† and <code>.',
    'Write [start] and [cite_starts].',
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
    ['(', '1, '],
    ['(', 'Source 1, '],
    ['(see ', '[1] and '],
    ['(Source: ', '[1], '],
    ['(', 'see also '],
    ['euros', '¹'],
    ['<sup>', '1, '],
  ] as const)
    it(`returns unclosed marks of ${opening}${item} unchanged in less than 400 ms`, () => {
      const mark = opening + item.repeat(Math.floor((159 - opening.length) / item.length));
      for (const answer of [
        mark,
        `${mark} x`,
        mark.repeat(100),
        opening + item.repeat(16_384 / item.length),
      ]) {
        let text = '';
        assertCpuBelow(400, () => ({ text } = clean([answer])), `${answer.length} characters`);
        assert.equal(text, answer);
      }
    });

  it('reads a mark directly after a URL', async () =>
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
    it(`moves the sources of ${JSON.stringify(list)} to the end of an answer without marks`, async () =>
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

  it('keeps numbers in parentheses and superscript after ignoreNotes', () => {
    const filter = new CitationFilter(passages.length, passages);
    filter.ignoreNotes();
    const text = 'The price² rises (1). See (Source 1).';
    assert.equal(filter.push(`${text} [2]`) + filter.end(), `${text} [2]`);
    assert.equal(filter.cites, true);
  });

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
      'word (1)',
      '(see ',
      '(Source 1)',
      '(Source: Handbook)',
      'euros¹',
      '.² ',
      '<sup>1</sup>',
      '[Source: Handbook',
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
