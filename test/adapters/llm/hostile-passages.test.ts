import assert from 'node:assert/strict';
import { listCitations } from '../../../core/answers/citations.ts';
import { findBestSentence, findQuotes } from '../../../core/answers/passage-quotes.ts';
import { extractRewrittenQuestion } from '../../../core/answers/follow-up.ts';
import { selectCases } from '../../support/it-in-soak.ts';
import { assertLoopBlockedBelow } from '../../support/loop-meter.ts';
import { buildPassage } from './support.ts';

const MAX_BLOCKED_MS = 50;

const buildWord = (at: number) => `word${(at * 7919).toString(36)}`;
const buildWords = (count: number) => Array.from({ length: count }, (_, at) => buildWord(at)).join(' ');
const buildHangul = (length: number) =>
  String.fromCharCode(...Array.from({ length }, (_, at) => 0xac00 + at * 3));

/** Builds a Markdown table whose header has many words of the question, and whose rows have one letter. */
const buildTable = (rows: number) => `| ${buildWords(245)} |\n|---|\n${'|a\n'.repeat(rows)}`;
const buildBullets = (count: number) =>
  Array.from({ length: count }, (_, at) => `- database backup ${at}`).join('\n');
const buildPassages = (text: string) => Array.from({ length: 6 }, () => buildPassage({ text }));

const question = buildWords(40);
const hangulQuestion = `database backup ${buildHangul(1980)}`;
const answer = [1, 2, 3, 4, 5, 6].map((index) => `${question} [${index}].`).join(' ');

/** Cases of questions and passages that hostile visitors or authors of documents could choose. */
const cases: Record<string, [question: string, passage: string]> = {
  'a table with a long head and 180 rows': [question, buildTable(180)],
  'a table with a long head and 1,700 rows': [question, buildTable(1700)],
  'short bullets and a question of one run of Hangul': [hangulQuestion, buildBullets(110)],
  'a heading in every line': [question, '# a\n\n'.repeat(1600)],
  'nothing but distinct words': [question, buildWords(900)],
};

describe('hostile passages:', () => {
  for (const [name, [asked, text]] of selectCases(Object.entries(cases), 1)) {
    const passages = buildPassages(text);

    it(`findQuotes blocks the event loop for less than ${MAX_BLOCKED_MS} ms with ${name}`, () =>
      assertLoopBlockedBelow(MAX_BLOCKED_MS, () => findQuotes(asked, passages)));

    it(`findBestSentence blocks the event loop for less than ${MAX_BLOCKED_MS} ms with ${name}`, () =>
      assertLoopBlockedBelow(MAX_BLOCKED_MS, () => findBestSentence(asked, passages[0]!)));

    it(`listCitations blocks the event loop for less than ${MAX_BLOCKED_MS} ms with ${name}`, () =>
      assertLoopBlockedBelow(MAX_BLOCKED_MS, () => listCitations(answer, passages)));
  }

  it('findQuotes quotes a row if the head of the table and the row together contain a Hangul word of the question', async () => {
    const table = '| 배송료 |\n|---|\n| 환불정책 |\n| 색상 |';
    const [quote] = await findQuotes('배송료환불정책', [buildPassage({ text: table })]);
    assert.equal(quote?.units[0]?.text, '| 환불정책 |');
  });

  it(`extractRewrittenQuestion takes less than ${MAX_BLOCKED_MS} ms with 20,000 quotation marks`, () =>
    assertLoopBlockedBelow(MAX_BLOCKED_MS, () => extractRewrittenQuestion(`a${'"'.repeat(20_000)}b`)));

  it('extractRewrittenQuestion removes quotation marks at both ends only', () => {
    assert.equal(extractRewrittenQuestion(' “What is a "pass"?” \n'), 'What is a "pass"?');
  });
});
