import assert from 'node:assert/strict';
import { assertCpuBelow } from '../support/cost.ts';
import {
  choosePositions,
  listHeadingQuestions,
  readDraftedQuestions,
} from '../../services/test-sets/question-sample.ts';

const buildPassages = () => [
  { title: 'Prices', isQa: false, headings: ['What does a day pass cost?'], text: 'A day pass costs £9.' },
  { title: 'Wann öffnen Sie?', isQa: true, headings: [], text: 'Um neun.' },
  { title: '营业时间？', isQa: false, headings: ['Πότε ανοίγετε;', 'Notes;'], text: '九点。' },
];

describe('choosePositions', () => {
  const documents = [
    { id: 'a', chunkCount: 3 },
    { id: 'b', chunkCount: 1 },
  ];

  it('chooses one passage of each document before further passages, and no passage twice', () => {
    assert.deepEqual(
      [...choosePositions(documents, 2, () => 0)],
      [
        ['a', [0]],
        ['b', [0]],
      ],
    );
    assert.deepEqual(
      [...choosePositions(documents, 3, () => 0.99)],
      [
        ['a', [2, 0]],
        ['b', [0]],
      ],
    );
  });

  it('chooses all passages if there are fewer than requested', () => {
    assert.deepEqual(
      [...choosePositions(documents, 9, () => 0)],
      [
        ['a', [0, 1, 2]],
        ['b', [0]],
      ],
    );
    assert.deepEqual([...choosePositions([], 9, () => 0)], []);
  });
});

describe('listHeadingQuestions', () => {
  it('returns titles and headings that are questions in any script, once each', () => {
    const passages = buildPassages();
    assert.deepEqual(
      listHeadingQuestions([...passages, ...passages], 10).map(({ question, source }) => [question, source]),
      [
        ['What does a day pass cost?', 'Prices'],
        ['Wann öffnen Sie?', 'Wann öffnen Sie?'],
        ['营业时间？', '营业时间？'],
        ['Πότε ανοίγετε;', '营业时间？'],
      ],
    );
    assert.equal(listHeadingQuestions(passages, 2).length, 2);
  });
});

describe('readDraftedQuestions', () => {
  const read = (reply: string) => readDraftedQuestions(reply, buildPassages());

  it('reads the array within a reply, with the title as source and only words that the passage contains', () => {
    const reply =
      'Here:\n[{"document": 1, "question": "How much is\\n a day?", "words": ["£9", "£8", "DAY pass"]}]';
    assert.deepEqual(read(reply), [
      { question: 'How much is a day?', expects: 'answer', source: 'Prices', words: ['£9', 'DAY pass'] },
    ]);
  });

  it('omits entries with an unknown document, without a question, or with a repeated question', () => {
    const entries = [
      { document: 9, question: 'Who?' },
      { document: 1, question: '  ' },
      { document: 1 },
      null,
      { document: '2', question: 'When?' },
      { document: 3, question: 'When?', words: 'nine' },
    ];
    assert.deepEqual(read(JSON.stringify(entries)), [
      { question: 'When?', expects: 'answer', source: 'Wann öffnen Sie?', words: [] },
    ]);
  });

  it('reads at most three entries for each passage, and ten words of an entry', () => {
    const count = 3 * buildPassages().length;
    const entries = Array.from({ length: count + 1 }, (_, index) => ({
      document: 1,
      question: `Why ${index}?`,
    }));
    assert.equal(read(JSON.stringify(entries)).length, count);
    const words = [...Array.from({ length: 10 }, () => 'missing'), '£9'];
    assert.deepEqual(read(JSON.stringify([{ ...entries[0], words }]))[0]!.words, []);
  });

  it('reads a long reply about a text of ligatures in a few milliseconds', () => {
    const passages = [{ ...buildPassages()[0]!, text: '\ufdfa'.repeat(20_000) }];
    const reply = JSON.stringify(
      Array.from({ length: 975 }, (_, index) => ({ document: 1, question: `Why ${index}?`, words: ['a'] })),
    );
    assertCpuBelow(50, () => readDraftedQuestions(reply, passages));
  });

  it('returns nothing for a reply without a JSON array', () => {
    for (const reply of ['', 'I cannot.', '[1, 2', ']['] as const) assert.deepEqual(read(reply), []);
  });
});
