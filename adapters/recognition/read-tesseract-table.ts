import type { PagePicture, RecognizedLine } from './text-recognizer.ts';

interface TableLine {
  block: string;
  paragraph: string;
  words: string[];
  right: number;
  bottom: number;
}

/** Row type of words in tesseract's output table. Other rows are pages, blocks, paragraphs and lines. */
const WORD = '5';
/**
 * Minimum confidence of a recognized word, in percent. Words with less are mostly drawings that look like
 * letters.
 */
const MIN_CONFIDENCE = 40;
/** Maximum number of recognized characters of a page. The fullest newspaper page has fewer. */
const MAX_CHARACTERS = 100_000;
/** Matches spaces that tesseract inserts between words of scripts that use no spaces. */
const needlessSpace =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、，]) (?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、，])/gu;

/** Reads the recognized lines from tesseract's output in TSV format. */
export function readTesseractTable(
  table: string,
  { width, height }: Pick<PagePicture, 'width' | 'height'>,
): RecognizedLine[] {
  const lines = readLines(table).filter(({ words }) => words.some((word) => /[\p{L}\p{N}]/u.test(word)));
  const columns = new Map<string, number>();
  for (const { block, right } of lines) columns.set(block, Math.max(columns.get(block) ?? 0, right));
  return lines.map(({ block, paragraph, words, right, bottom }, index) => ({
    text: words.join(' ').replace(needlessSpace, ''),
    right: right / width,
    columnRight: columns.get(block)! / width,
    relativeHeight: (height - bottom) / height,
    startsParagraph: paragraph !== lines[index - 1]?.paragraph,
  }));
}

function readLines(table: string): TableLine[] {
  const lines = new Map<string, TableLine>();
  let characters = 0;
  for (const row of table.split('\n')) {
    const cells = row.split('\t');
    const [level, page, block, paragraph, line] = cells;
    const [left = 0, top = 0, width = 0, height = 0, confidence = 0] = cells.slice(6, 11).map(Number);
    const text = cells.slice(11).join(' ').trim();
    if (level !== WORD || text === '' || confidence < MIN_CONFIDENCE) continue;
    characters += text.length + 1;
    if (characters > MAX_CHARACTERS) break;
    const parent = { block: `${page}/${block}`, paragraph: `${page}/${block}/${paragraph}` };
    const key = `${parent.paragraph}/${line}`;
    const known = lines.get(key) ?? { ...parent, words: [], right: 0, bottom: 0 };
    known.words.push(text);
    known.right = Math.max(known.right, left + width);
    known.bottom = Math.max(known.bottom, top + height);
    lines.set(key, known);
  }
  return [...lines.values()];
}
