import { parseCsv } from '../../adapters/extraction/csv/parse-csv.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { suggestNames } from '../../core/text/nearest-names.ts';
import { requireVisible } from '../../core/text/visible-text.ts';
import {
  expectations,
  type Expectation,
  type TestQuestion,
} from '../../entities/test-sets/test-set.entity.ts';

/** A question of a test set in an API request. */
export interface QuestionInput {
  id?: string | undefined;
  question: string;
  expects?: Expectation | undefined;
  source?: string | null | undefined;
  words?: string[] | undefined;
}

export const MAX_QUESTION_LENGTH = 2000;
export const MAX_SOURCE_LENGTH = 500;
export const MAX_WORDS = 20;
export const MAX_WORD_LENGTH = 200;
/**
 * Maximum number of characters in all questions, sources and words of a test set, which are read and sent at
 * once.
 */
export const MAX_SET_LENGTH = 200_000;
/**
 * Maximum number of CSV rows that are read as test questions. It is greater than the limit of a test set, so
 * that the error can name that limit.
 */
const MAX_ROWS = 1000;
const DELIMITERS = [',', ';', '\t'];
/**
 * Maximum number of characters of a CSV's first line in which the delimiter is detected, far more than all
 * column names need.
 */
const MAX_HEADER_LENGTH = 1000;
const COLUMNS = ['question', 'expects', 'source', 'words'] as const;

/**
 * Completes the test questions of a request: adds ids, and defaults for missing fields.
 * @throws AppError `validation_error` for a question without visible text, and for an id that occurs twice
 */
export function completeQuestions(inputs: readonly QuestionInput[]): TestQuestion[] {
  const seenIds = new Set<string>();
  return inputs.map(({ id, question, expects = 'answer', source = null, words = [] }, index) => {
    requireVisible(question, `questions[${index}].question`);
    if (id !== undefined && seenIds.has(id)) throw invalidField(`questions[${index}].id`, 'occurs twice');
    if (id !== undefined) seenIds.add(id);
    return { id: id ?? newId(), question, expects, source, words };
  });
}

/** Counts the characters of test questions, their sources and words. */
export function measureQuestions(questions: readonly TestQuestion[]): number {
  return questions.reduce(
    (length, { question, source, words }) => length + [question, source ?? '', ...words].join('').length,
    0,
  );
}

/**
 * Replaces those fields of a test question's expectation that the input contains. The question keeps its id.
 */
export function applyExpectation(known: TestQuestion, input: QuestionInput | undefined): TestQuestion {
  const { expects = known.expects, source = known.source, words = known.words } = input ?? {};
  return { ...known, expects, source, words };
}

/**
 * Reads test questions from CSV with the columns `question`, `expects`, `source` and `words`, of which the
 * last three are optional. Semicolons or vertical bars separate words.
 * @throws AppError `validation_error` that names the row
 */
export function readQuestionsFromCsv(csv: string): QuestionInput[] {
  const text = csv.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const { rows, strayQuoteLines } = parseCsv(text, findDelimiter(text), MAX_ROWS);
  const [header = [], ...lines] = rows.map(({ cells }) => cells);
  const columns = header.map((name) => name.toLowerCase());
  if (!columns.includes('question'))
    throw invalidField('csv', `must begin with a line of column names: ${COLUMNS.join(', ')}`);
  const [strayLine] = strayQuoteLines;
  if (strayLine !== undefined)
    throw invalidField('csv', `line ${strayLine}: a quotation mark opens a cell but is not closed`);
  if (lines.length === 0) throw invalidField('csv', 'must have a question below the column names');
  for (const [index, name] of columns.entries()) requireKnownColumn(name, columns.slice(0, index));
  return lines.map((cells, index) => {
    const width = cells.findLastIndex(Boolean) + 1;
    const count = columns.findLastIndex(Boolean) + 1;
    if (width > count)
      throw invalidField(
        'csv',
        `row ${index + 2}: has ${width} cells, but the first line names ${count === 1 ? '1 column' : `${count} columns`}`,
      );
    const readCell = (column: (typeof COLUMNS)[number]): string => cells[columns.indexOf(column)] ?? '';
    const { question, expects = 'answer', source, words } = readRow(readCell, index + 2);
    return {
      question,
      ...(columns.includes('expects') && { expects }),
      ...(columns.includes('source') && { source }),
      ...(columns.includes('words') && { words }),
    };
  });
}

/** Finds the delimiter of a CSV: the character that separates most column names in the first line. */
function findDelimiter(text: string): string {
  const [line = ''] = text.slice(0, MAX_HEADER_LENGTH).split('\n', 1);
  const countNames = (delimiter: string): number =>
    parseCsv(line, delimiter).rows[0]?.cells.filter((cell) => isColumn(cell.toLowerCase())).length ?? 0;
  return DELIMITERS.reduce((best, delimiter) =>
    countNames(delimiter) > countNames(best) ? delimiter : best,
  );
}

/**
 * Checks the name of a CSV's column. An empty name is permitted, because spreadsheets export empty columns.
 * @param earlier names of the columns before it
 */
function requireKnownColumn(name: string, earlier: readonly string[]): void {
  if (name === '') return;
  if (earlier.includes(name)) throw invalidField('csv', `has the column "${name}" twice`);
  if (isColumn(name)) return;
  const hint = suggestNames(name, COLUMNS) || ` (known columns: ${COLUMNS.join(', ')})`;
  throw invalidField('csv', `has an unknown column "${name}"${hint}`);
}

function isColumn(name: string): boolean {
  return (COLUMNS as readonly string[]).includes(name);
}

function readRow(read: (column: (typeof COLUMNS)[number]) => string, row: number): QuestionInput {
  const [question, expects, source] = [read('question'), read('expects').toLowerCase(), read('source')];
  const words = read('words')
    .split(/[;|]/)
    .map((word) => word.trim())
    .filter(Boolean);
  const refuse = (rule: string): never => {
    throw invalidField('csv', `row ${row}: ${rule}`);
  };
  if (question === '' || question.length > MAX_QUESTION_LENGTH)
    refuse(`question must have 1 to ${MAX_QUESTION_LENGTH} characters`);
  if (expects !== '' && !isExpectation(expects)) refuse(`expects must be one of ${expectations.join(', ')}`);
  if (source.length > MAX_SOURCE_LENGTH) refuse(`source must have at most ${MAX_SOURCE_LENGTH} characters`);
  if (words.length > MAX_WORDS || words.some((word) => word.length > MAX_WORD_LENGTH))
    refuse(`words must have at most ${MAX_WORDS} entries, of at most ${MAX_WORD_LENGTH} characters each`);
  return {
    question,
    ...(isExpectation(expects) && { expects }),
    source: source === '' ? null : source,
    words,
  };
}

function isExpectation(text: string): text is Expectation {
  return (expectations as readonly string[]).includes(text);
}
