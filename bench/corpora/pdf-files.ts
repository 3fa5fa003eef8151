import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from '../support/figure.ts';
import { roundTo } from '../support/figure.ts';
import { hasWordsByPoppler, readWithPython } from './anchors.ts';
import type { DocumentReading } from './read-document.ts';
import { mean, scoreWords } from './word-scores.ts';

const MAX_MISSED = 10;

/**
 * Counts the test files of pdf.js from which the program poppler reads a word, but Parley no letter. Compares
 * the words with the Python package pypdf.
 */
export async function benchPdfFiles(folder: string, reading: DocumentReading): Promise<Figure[]> {
  const root = join(folder, 'test/pdfs');
  if (!existsSync(root)) return [];
  const texts = new Map<string, string>();
  for (const name of readdirSync(root).filter((file) => file.endsWith('.pdf')))
    texts.set(join(root, name), (await reading.read(join(root, name))).text);
  const unread = [...texts].filter(([, text]) => !/[\p{L}\p{N}]/u.test(text)).map(([path]) => path);
  const judged = unread.map(hasWordsByPoppler);
  const anchor = readWithPython<string>('pypdf', [...texts.keys()]);
  const recalls = [...(anchor ?? [])].flatMap(([path, text]) =>
    /\p{L}{2}/u.test(text) ? [scoreWords(texts.get(path) ?? '', text).recall] : [],
  );
  const missed = judged.filter((isRead) => isRead === true).length;
  return [
    ...(judged.includes(undefined)
      ? []
      : [
          {
            bench: 'corpora',
            figure: `PDFs of ${texts.size} that poppler reads and Parley does not`,
            value: missed,
            unit: '',
            target: `≤ ${MAX_MISSED}`,
            ok: missed <= MAX_MISSED,
          },
        ]),
    ...(recalls.length === 0
      ? []
      : [
          {
            bench: 'corpora',
            figure: 'PDFs: words that pypdf reads',
            value: roundTo(mean(recalls), 4),
            unit: '',
          },
        ]),
  ];
}
