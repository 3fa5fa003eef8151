import { cleanLine } from '../clean-text.ts';
import { parsePrimaryLanguage, type ReadResult } from '../extracted-document.ts';
import { extractionLimits } from '../extraction-limits.ts';
import { NOT_RECOGNIZED, NOTHING_RECOGNIZED, type PageRecognition } from '../page-recognition.ts';
import { UnreadableDocument } from '../unreadable-document.ts';
import { hasEnd, openPdf, type PdfDocument } from './open-pdf.ts';
import { toPageLines, type PdfLine } from './pdf-lines.ts';
import { readWithBoundedInflation } from './bounded-inflation.ts';
import { closePdf } from './pdf-operators.ts';
import { createNoTextError, describeMissingPages, type MissingPages } from './pdf-notices.ts';
import { findMostCommonSize, toPdfSections } from './pdf-sections.ts';
import { HiddenTextFilter } from './hidden-text.ts';
import { AnnotationReader } from './annotations/read-annotations.ts';
import { readXfa } from './read-xfa.ts';
import { findScans, recognizeScans, type RecognizedScans } from './recognize-scans.ts';
import { dropMeaninglessText, findUselessTexts } from './meaningless-text.ts';

interface Metadata {
  title: string | null;
  language: string | null;
  /** True if the PDF is a form (XFA) that may only consist of instructions for a viewer. */
  isXfa: boolean;
}

interface PdfPage {
  lines: readonly PdfLine[];
  isDamaged?: boolean;
  /** True if text of the page was omitted because its fonts do not map glyphs to characters. */
  isMeaningless?: boolean;
  /** True if the page is a picture with a watermark or similar as its only text. */
  isMarked?: boolean;
}

/** Readers of a PDF's pages that have a state for the whole document. */
interface PageReaders {
  annotations: AnnotationReader;
  hiddenTexts: HiddenTextFilter;
}

/** Letter size of recognized text in a PDF without other text, in PDF units. */
const DEFAULT_LETTER_SIZE = 12;

/**
 * Reads the text of a PDF page by page. Recognizes headings by their letter size.
 * @throws UnreadableDocument
 */
export function readPdf(
  bytes: Uint8Array,
  _hints: unknown,
  recognition: PageRecognition,
): Promise<ReadResult> {
  const { pdfStreamBytes, pdfPictureBytes } = extractionLimits;
  const maxBytes = typeof recognition === 'function' ? pdfPictureBytes : pdfStreamBytes;
  return readWithBoundedInflation(maxBytes, () => readWithinLimits(bytes, recognition));
}

async function readWithinLimits(bytes: Uint8Array, recognition: PageRecognition): Promise<ReadResult> {
  const pdf = await openPdf(bytes);
  try {
    if (pdf.numPages > extractionLimits.pdfPages) {
      throw new UnreadableDocument('too_large', `The PDF has more than ${extractionLimits.pdfPages} pages.`);
    }
    const { title, language, isXfa } = await readMetadata(pdf);
    const form = isXfa ? await readXfa(bytes).catch(() => null) : null;
    if (form) return { title: title ?? form[0]?.headings[0] ?? null, language, sections: form };
    const readable = await readPages(pdf, bytes);
    const recognized = await recognizePages(bytes, pdf, readable, language, recognition);
    const pages = readable.map((page, index) => withRecognizedText(page, recognized.pages.get(index)));
    const missingPages = countMissingPages(pages, hasEnd(bytes), recognized.obstacle);
    if (!pages.some(hasWords)) throw createNoTextError(missingPages);
    const sections = toPdfSections(pages.map(({ lines }) => lines));
    const notice = describeMissingPages(missingPages);
    return {
      title: title ?? sections[0]?.headings[0] ?? null,
      language,
      sections,
      ...(notice && { notice }),
    };
  } finally {
    await closePdf(pdf);
  }
}

/** @throws UnreadableDocument `has_scans` if another step is to recognize the text of scanned pages */
async function recognizePages(
  bytes: Uint8Array,
  pdf: PdfDocument,
  pages: readonly PdfPage[],
  language: string | null,
  recognition: PageRecognition,
): Promise<RecognizedScans> {
  const none = new Map<number, PdfLine[]>();
  if (recognition === 'off') return { pages: none, obstacle: NOT_RECOGNIZED };
  if (typeof recognition === 'object') return { pages: none, ...recognition };
  const candidates = pages.flatMap(({ lines, isDamaged, isMarked = false }, index) =>
    lines.length === 0 && !isDamaged ? [{ index, isScan: isMarked }] : [],
  );
  const pageIndexes = await findScans(pdf, candidates, recognition === 'defer' ? 1 : undefined);
  if (pageIndexes.length === 0) return { pages: none, obstacle: NOTHING_RECOGNIZED };
  if (recognition === 'defer') {
    throw new UnreadableDocument('has_scans', 'The PDF has pages that are pictures.');
  }
  const letterSize = findMostCommonSize(pages.map(({ lines }) => lines)) || DEFAULT_LETTER_SIZE;
  return recognizeScans(bytes, { pageIndexes, language, letterSize, recognize: recognition });
}

function withRecognizedText(page: PdfPage, lines: readonly PdfLine[] | undefined): PdfPage {
  return lines ? { lines } : page;
}

/** @throws UnreadableDocument if the PDF holds too much text, or if no page can be read */
async function readPages(pdf: PdfDocument, bytes: Uint8Array): Promise<PdfPage[]> {
  const hiddenTexts = await HiddenTextFilter.create(pdf, bytes);
  const readers = { annotations: new AnnotationReader(pdf), hiddenTexts };
  const pages: PdfPage[] = [];
  let damage: unknown;
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    try {
      const page = await readPdfPage(pdf, number, readers);
      pages.push(page);
      characters += page.lines.reduce((total, line) => total + line.text.length, 0);
    } catch (error) {
      damage = error;
      pages.push({ lines: [], isDamaged: true });
    }
    if (characters > extractionLimits.textCharacters) {
      throw new UnreadableDocument('too_large', 'The PDF contains more text than Parley can read.');
    }
  }
  if (pages.every(({ isDamaged }) => isDamaged))
    throw new UnreadableDocument('damaged', 'The PDF is damaged.', { cause: damage });
  const useless = await findUselessTexts(
    pdf,
    pages.map(({ lines }) => lines),
  );
  return pages.map((page, index) => (useless.has(index) ? { lines: [], isMarked: true } : page));
}

async function readPdfPage(
  pdf: PdfDocument,
  number: number,
  { annotations, hiddenTexts }: PageReaders,
): Promise<PdfPage> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const notes = await annotations.read(page);
  page.cleanup();
  const drawn = items.filter((item) => 'str' in item);
  // Ignore a damaged drawing, which does not affect the text.
  const texts = await hiddenTexts.filter(drawn, number - 1).catch(() => drawn);
  const meaningful = dropMeaninglessText(texts);
  return {
    lines: toPageLines([...meaningful, ...notes], page.view),
    isMeaningless: meaningful.length < texts.length,
  };
}

const hasWords = ({ lines }: PdfPage) => lines.some(({ text }) => /[\p{L}\p{N}]/u.test(text));

function countMissingPages(pages: readonly PdfPage[], hasItsEnd: boolean, obstacle: string): MissingPages {
  const countPages = (isMissing: (page: PdfPage) => boolean) => pages.filter(isMissing).length;
  return {
    total: pages.length,
    damaged: countPages(({ isDamaged }) => isDamaged === true),
    marked: countPages(({ isMarked }) => isMarked === true),
    meaningless: countPages(({ isMeaningless, lines }) => isMeaningless === true && lines.length === 0),
    empty: countPages(
      (page) => page.lines.length === 0 && !page.isDamaged && !page.isMarked && !page.isMeaningless,
    ),
    hasEnd: hasItsEnd,
    obstacle,
  };
}

async function readMetadata(pdf: PdfDocument): Promise<Metadata> {
  // Ignore damaged metadata, which do not affect the text.
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const {
    Title: title,
    Language: language,
    IsXFAPresent: hasXfa,
    IsAcroFormPresent: hasFields,
  } = info as Record<string, unknown>;
  return {
    title: typeof title === 'string' ? keepMeaningfulTitle(cleanLine(title)) : null,
    language: typeof language === 'string' ? parsePrimaryLanguage(language) : null,
    isXfa: hasXfa === true && hasFields === false,
  };
}

/** Returns the title of a PDF; null if a program generated the title, for example from a file name. */
function keepMeaningfulTitle(title: string): string | null {
  const isLeftover =
    /^(?:untitled|unnamed|\(?anonymous\)?|microsoft word - .*|.*\.(?:docx?|indd|pdf|tex))$/i.test(title);
  return title.length > 1 && !isLeftover ? title : null;
}
