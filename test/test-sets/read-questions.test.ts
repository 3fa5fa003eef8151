import assert from 'node:assert/strict';
import { AppError } from '../../core/errors/errors.ts';
import { readQuestionsFromCsv } from '../../services/test-sets/read-questions.ts';

describe('readQuestionsFromCsv', () => {
  for (const [title, csv, message] of [
    [
      'a column that resembles a known one',
      'question,expects,word\nA,answer,x\n',
      'csv has an unknown column "word" (did you mean words?)',
    ],
    [
      'a column that resembles none',
      'question,color\nA,red\n',
      'csv has an unknown column "color" (known columns: question, expects, source, words)',
    ],
    ['a column twice', 'question,words,Words\nA,x,y\n', 'csv has the column "words" twice'],
    [
      'a row with surplus cells',
      'question,expects\nA,answer,extra,cols,more\n',
      'csv row 2: has 5 cells, but the first line names 2 columns',
    ],
    [
      'a comma without quotes',
      'question\nA, b\n',
      'csv row 2: has 2 cells, but the first line names 1 column',
    ],
  ] as const)
    it(`refuses ${title}`, () => {
      assert.throws(
        () => readQuestionsFromCsv(csv),
        (error) => error instanceof AppError && error.message === message,
      );
    });

  it('accepts empty columns and empty cells at the end, as spreadsheets export them', () => {
    assert.deepEqual(readQuestionsFromCsv('question,,\nA,,\nB,,,\n'), [{ question: 'A' }, { question: 'B' }]);
  });
});
