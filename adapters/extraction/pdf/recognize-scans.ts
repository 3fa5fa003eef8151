import type { RecognizedLine } from '../../recognition/text-recognizer.ts';
import { cleanLine } from '../clean-text.ts';
import {
  explainFailure,
  NOTHING_RECOGNIZED,
  type PageToRecognize,
  type RecognizedPage,
} from '../page-recognition.ts';
import { drawPage } from './pictures/draw-page.ts';
import { openPdf, type PdfDocument } from './open-pdf.ts';
import type { PdfLine } from './pdf-lines.ts';
import { closePdf } from './pdf-operators.ts';
import { isPicturePage } from './pictures/picture-pages.ts';

export interface RecognizedScans {
  /** Lines of each PDF page whose text was recognized, by the page's index. */
  pages: ReadonlyMap<number, PdfLine[]>;
  /** Reason why text of scanned pages is still missing: a clause for the document's owner. */
  obstacle: string;
}

interface ScanOptions {
  pageIndexes: readonly number[];
  language: string | null;
  /** Letter size of the document's text. Recognized lines get this size, so that none counts as a heading. */
  letterSize: number;
  recognize: (page: PageToRecognize) => Promise<RecognizedPage>;
}

/** Maximum number of a PDF's scanned pages whose text is recognized. Each takes seconds. */
const MAX_SCANS = 50;
/** Maximum number of a PDF's pages without text that are searched for pictures. */
const MAX_SEARCHED = 500;
/**
 * Maximum number of pixels of an image whose text is recognized: an A4 page at 600 dpi. Larger images need
 * too much memory.
 */
const MAX_IMAGE_PIXELS = 36_000_000;
/** Distance of recognized lines, as a multiple of the letter size. */
const LINE_HEIGHT = 1.2;

/** A page of a PDF without text, which may be a scan. */
interface ScanCandidate {
  index: number;
  /** True if pictures cover the page, so that it is a scan. */
  isScan: boolean;
}

/**
 * Returns the indexes of a PDF's scanned pages, which pictures cover.
 * @param max maximum number of pages to return; by default one more than may be recognized
 */
export async function findScans(
  pdf: PdfDocument,
  candidates: readonly ScanCandidate[],
  max = MAX_SCANS + 1,
): Promise<number[]> {
  const scans: number[] = [];
  for (const { index, isScan } of candidates.slice(0, MAX_SEARCHED)) {
    if (isScan || (await isPicturePage(pdf, index).catch(() => false))) scans.push(index);
    if (scans.length >= max) break;
  }
  return scans;
}

/** Recognizes the text of a PDF's scanned pages. A failed page does not affect other pages. */
export async function recognizeScans(
  bytes: Uint8Array,
  { pageIndexes, language, letterSize, recognize }: ScanOptions,
): Promise<RecognizedScans> {
  const pages = new Map<number, PdfLine[]>();
  let obstacle =
    pageIndexes.length > MAX_SCANS
      ? `Parley recognizes text on at most ${MAX_SCANS} pages of a document`
      : NOTHING_RECOGNIZED;
  const pdf = await openPdf(bytes, { maxPixels: MAX_IMAGE_PIXELS });
  try {
    for (const index of pageIndexes.slice(0, MAX_SCANS)) {
      const page = await pdf.getPage(index + 1);
      const picture = await drawPage(page).catch(() => null);
      page.cleanup();
      if (picture === null) {
        obstacle = explainFailure('a picture is damaged or too large');
        continue;
      }
      const recognized = await recognize({ picture, language });
      if ('lines' in recognized) {
        const width = page.view[2]! - page.view[0]!;
        if (recognized.lines.length > 0) pages.set(index, toPdfLines(recognized.lines, width, letterSize));
        continue;
      }
      ({ obstacle } = recognized);
      if (recognized.isFinal) break;
    }
  } finally {
    await closePdf(pdf);
  }
  return { pages, obstacle };
}

function toPdfLines(lines: readonly RecognizedLine[], width: number, size: number): PdfLine[] {
  return lines.map(({ text, right, columnRight, relativeHeight, startsParagraph }, index) => ({
    text: cleanLine(text),
    // Recognized lines are in reading order, which differs from their heights on rotated pages and in
    // columns.
    y: -index * size * LINE_HEIGHT,
    right: right * width,
    columnRight: columnRight * width,
    size,
    relativeHeight,
    isSlanted: false,
    startsBlock: startsParagraph,
  }));
}
