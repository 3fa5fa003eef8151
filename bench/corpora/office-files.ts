import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decodeHTMLStrict } from 'entities';
import { roundTo, type Figure } from '../support/figure.ts';
import { readWithPython } from './anchors.ts';
import type { DocumentReading } from './read-document.ts';
import { mean, scoreWords } from './word-scores.ts';

const KINDS = ['docx', 'pptx', 'xlsx', 'odf', 'csv', 'html'];
const MIN_WORDS = 0.96;
const MIN_ORDER = 0.909;
const MIN_XLSX_WORDS = 0.95;

/**
 * Compares the words that Parley reads from office files, and their order, with the expected texts of the
 * project docling. Compares words of spreadsheets with markitdown.
 */
export async function benchOfficeFiles(folder: string, reading: DocumentReading): Promise<Figure[]> {
  const root = join(folder, 'tests/data');
  if (!existsSync(join(root, 'docx/groundtruth'))) return [];
  const recalls: number[] = [];
  const orders: number[] = [];
  const sheets = new Map<string, string>();
  for (const kind of KINDS)
    for (const path of listFiles(join(root, kind, 'sources'))) {
      const expected = join(root, kind, 'groundtruth', `${basename(path)}.md`);
      if (!existsSync(expected)) continue;
      const { text, isRefused } = await reading.read(path);
      if (isRefused) continue;
      const truth = toPlainText(readFileSync(expected, 'utf8'));
      const { recall, order } = scoreWords(separatePositioned(text), separatePositioned(truth));
      recalls.push(recall);
      orders.push(order);
      if (kind === 'xlsx') sheets.set(path, text);
    }
  const anchor = readWithPython<string>('markitdown', [...sheets.keys()]);
  const agreement =
    anchor && mean([...anchor].map(([path, text]) => scoreWords(sheets.get(path) ?? '', text).recall));
  return [
    figure('office files of docling: words', mean(recalls), MIN_WORDS),
    figure('office files of docling: order of words', mean(orders), MIN_ORDER),
    ...(agreement === undefined
      ? []
      : [figure('spreadsheets: words that markitdown reads', agreement, MIN_XLSX_WORDS)]),
  ];
}

/**
 * Returns the words of one of docling's expected texts, without marks of Markdown: comments, equations in
 * LaTeX, link targets.
 */
function toPlainText(markdown: string): string {
  const text = markdown
    .replaceAll(/<!--[\s\S]*?-->/g, ' ')
    .replaceAll(/\$\$[^$]+\$\$|\$(?=\S)[^$\n]*[^$\s]\$(?!\d)/g, ' ')
    .replaceAll(/\[([^[\]]*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)/g, '$1');
  return decodeHTMLStrict(text);
}

/** Separates superscript and subscript digits from words, as docling does: docling writes 10³ as 10 3, H₂O as H 2 O. */
function separatePositioned(text: string): string {
  return text.replaceAll(/[²³¹\u2070-\u209C]+/g, ' $& ');
}

function figure(name: string, value: number, min?: number): Figure {
  return {
    bench: 'corpora',
    figure: name,
    value: roundTo(value, 4),
    unit: '',
    ...(min !== undefined && { target: `≥ ${min}`, ok: value >= min }),
  };
}

function listFiles(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
