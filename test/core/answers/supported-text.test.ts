import assert from 'node:assert/strict';
import { SupportFilter } from '../../../core/answers/supported-text.ts';
import { assertCpuBelow } from '../../support/cost.ts';

const PASSAGE = {
  documentId: 'd',
  chunkId: 'c',
  title: 'Fares of 2026',
  sourceUrl: null,
  text: 'A day pass costs 45.00 euros, a year pass 1,250.50. The office is open from 9:00 to 18:30.',
  score: 1,
  headings: ['Line 77'],
};

/** Filters the supported text of an answer that arrives in pieces of `length` characters. */
function filter(answer: string, length = answer.length): string {
  const support = new SupportFilter([PASSAGE], ['What do 14 people pay?']);
  let text = '';
  for (let at = 0; at < answer.length; at += length) text += support.push(answer.slice(at, at + length));
  return text + support.end();
}

describe('the supported text of an answer', () => {
  for (const [what, answer, expected] of [
    ['has a cited sentence', 'A pass is valid all day [1].', 'A pass is valid all day [1].'],
    ['has all sentences before a citation', 'Yes. It is valid all day [1].', 'Yes. It is valid all day [1].'],
    ['has adjacent citations', 'It is valid [1][2]. And cheap [1]!', 'It is valid [1][2]. And cheap [1]!'],
    ['lacks a sentence after the last citation', 'It is valid [1]. Enjoy your trip!', 'It is valid [1].'],
    ['lacks a paragraph without a citation', 'Thanks for asking!\n\nIt is valid [1].', 'It is valid [1].'],
    ['lacks a last paragraph without a citation', 'It is valid [1].\n\nAnything else?', 'It is valid [1].'],
    ['is empty without a citation', 'I could not find an answer.', ''],
    [
      'keeps the paragraph after one that it lacks',
      'It is valid [1].\n\nSo is the sun.\n\nBuy it [1].',
      'It is valid [1].\n\nBuy it [1].',
    ],
    ['has a list whose end is cited', '1. Hold the key.\n2. Wait. [1]', '1. Hold the key.\n2. Wait. [1]'],
    [
      'has a list that a cited line introduces',
      'Steps [1]:\n\n- Hold\n- Wait\n',
      'Steps [1]:\n\n- Hold\n- Wait',
    ],
    ['lacks text after such a list', 'Steps [1]:\n- Hold\n\nGood luck!', 'Steps [1]:\n- Hold'],
    ['has the heading of a cited text', '## Fares\n\nIt is valid [1].', '## Fares\n\nIt is valid [1].'],
    ['lacks the heading of nothing', 'It is valid [1].\n\n## More', 'It is valid [1].'],
    [
      'has code that a cited line introduces',
      'Call it [1]:\n\n```\nlist[0]\n\nlist[1]\n```\n',
      'Call it [1]:\n\n```\nlist[0]\n\nlist[1]\n```',
    ],
    [
      'has code before a cited text',
      '```\nrun\n```\n\nThis starts it [1].',
      '```\nrun\n```\n\nThis starts it [1].',
    ],
    [
      'has numbers of passages',
      'It costs 45 euros [1], or 1250.50 [1].',
      'It costs 45 euros [1], or 1250.50 [1].',
    ],
    ['has numbers of titles and headings', 'Fares of 2026 on line 77 [1].', 'Fares of 2026 on line 77 [1].'],
    ['has numbers of the question', 'All 14 people pay [1].', 'All 14 people pay [1].'],
    ['has small numbers', 'You need 3 of 12 stamps [1].', 'You need 3 of 12 stamps [1].'],
    ['has times in 12 hours', 'It closes at 6:30 pm [1].', 'It closes at 6:30 pm [1].'],
    ['has times without minutes', 'Come by 18:30, or at 9 [1].', 'Come by 18:30, or at 9 [1].'],
    ['lacks a sentence with an unknown number', 'It is valid. It costs 46 euros [1].', 'It is valid. [1].'],
    ['lacks citations of what it lacks', 'It costs 46 euros [1][2]. Buy it [1].', 'Buy it [1].'],
    ['ends the sentence before', 'It is valid [1]. It costs 46 euros [1].', 'It is valid [1].'],
    [
      'has a sentence with the words of a passage',
      'It is valid [1].\n\nThe office opens at 9:00.',
      'It is valid [1].\n\nThe office opens at 9:00.',
    ],
    [
      'lacks a sentence with few words of a passage',
      'It is valid [1].\n\nThe office sells gloves, bells and helmets.',
      'It is valid [1].',
    ],
    ['lacks a citation that is code', 'Use `list[1]` for it.', ''],
    ['has code with a citation', 'Use `list[1]` for it [1].', 'Use `list[1]` for it [1].'],
    [
      'lacks a whole sentence with an abbreviation',
      'Es kostet ca. 46 Euro [1]. Kaufen Sie es [1].',
      'Kaufen Sie es [1].',
    ],
    ['has bold text', '**Fares**: it is valid [1].', '**Fares**: it is valid [1].'],
    ['is empty if all numbers are unknown', 'It costs 46 euros [1].', ''],
  ] as const) {
    it(`${what}: ${JSON.stringify(answer)}`, () => {
      assert.equal(filter(answer), expected);
      for (const length of [1, 2, 5]) assert.equal(filter(answer, length), expected);
    });
  }

  for (const [what, pattern] of [
    ['closing brackets', ']'],
    ['citations', '[1]'],
    ['short lines', 'a\n'],
    ['sentences', 'It costs 46 euros. '],
    ['backticks', '`'],
    ['blanks', ' \n\n'],
  ] as const) {
    it(`takes less than 2 s of CPU for 262,144 single characters of ${what}`, () => {
      const answer = pattern.repeat(Math.ceil(262_144 / pattern.length));
      assertCpuBelow(2000, () => filter(answer, 1));
    });
  }
});
