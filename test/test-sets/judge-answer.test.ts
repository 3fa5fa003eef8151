import assert from 'node:assert/strict';
import { judgeAnswer, type JudgedAnswer } from '../../services/test-sets/judge-answer.ts';
import type { TestQuestion } from '../../entities/test-sets/test-set.entity.ts';

const buildQuestion = (overrides: Partial<TestQuestion> = {}): TestQuestion => ({
  id: '0198c2f0-7b1e-7c3a-9d0e-3f5a6b7c8d9e',
  question: 'What does a day pass cost?',
  expects: 'answer',
  source: null,
  words: [],
  ...overrides,
});

const buildAnswer = (overrides: Partial<JudgedAnswer> = {}): JudgedAnswer => ({
  content: 'A day pass costs £9. [1]',
  sources: [{ title: 'Prices and Memberships', url: 'https://shop.example/prices' }],
  isUnanswered: false,
  isHandedOver: false,
  isFailed: false,
  ...overrides,
});

describe('judgeAnswer', () => {
  const cases: [string, Partial<TestQuestion>, Partial<JudgedAnswer>, string[]][] = [
    ['an answer', {}, {}, []],
    ['a refusal where an answer is expected', {}, { isUnanswered: true }, ['not_answered']],
    ['a handoff where an answer is expected', {}, { isHandedOver: true }, ['handed_over']],
    ['a failure of the model', { words: ['£9'] }, { isFailed: true, isUnanswered: true }, ['model_failed']],
    ['a part of the title, in another case', { source: 'prices AND' }, {}, []],
    ['a part of the URL', { source: 'shop.example/prices' }, {}, []],
    ['another source', { source: 'Handbook' }, {}, ['wrong_source']],
    [
      'a source in decomposed form',
      { source: 'Cafe\u0301' },
      { sources: [{ title: 'Café', url: null }] },
      [],
    ],
    ['no source where one is expected', { source: 'Prices' }, { sources: [] }, ['wrong_source']],
    ['all words, over line breaks', { words: ['day PASS', '£9'] }, { content: 'A day\n pass: £9' }, []],
    ['a missing word', { words: ['£9', 'winter'] }, {}, ['missing_words']],
    ['a refusal', { expects: 'refusal' }, { isUnanswered: true }, []],
    ['an answer where a refusal is expected', { expects: 'refusal' }, {}, ['answered']],
    [
      'a handoff where a refusal is expected',
      { expects: 'refusal' },
      { isHandedOver: true },
      ['handed_over'],
    ],
    ['a handoff', { expects: 'handoff' }, { isHandedOver: true }, []],
    ['an answer where a handoff is expected', { expects: 'handoff' }, {}, ['not_handed_over']],
  ];
  for (const [title, question, answer, faults] of cases)
    it(`finds ${faults.join(' and ') || 'no fault'} in ${title}`, () =>
      assert.deepEqual(judgeAnswer(buildQuestion(question), buildAnswer(answer)), faults));
});
