import { cleanLine } from '../clean-text.ts';
import { parsePrimaryLanguage, type ReadResult } from '../extracted-document.ts';
import { extractionLimits } from '../extraction-limits.ts';
import { UnreadableDocument } from '../unreadable-document.ts';
import { hasEnd, openPdf, type PdfDocument } from './open-pdf.ts';
import { toPageLines, type PdfLine } from './pdf-lines.ts';
import { toPdfSections } from './pdf-sections.ts';
import { AnnotationReader } from './read-annotations.ts';
import { readXfa } from './read-xfa.ts';

interface Metadata {
  title: string | null;
  language: string | null;
  /** True for a form that may only consist of instructions for a viewer. */
  isXfa: boolean;
}

interface PdfPages {
  pages: PdfLine[][];
  /** Number of pages that pdf.js cannot read. */
  damagedCount: number;
}

/** Reads the text of a PDF page by page. Recognizes headings by their letter size. */
export async function readPdf(bytes: Uint8Array): Promise<ReadResult> {
  const pdf = await openPdf(bytes);
  try {
    if (pdf.numPages > extractionLimits.pdfPages) {
      throw new UnreadableDocument('too_large', `The PDF has more than ${extractionLimits.pdfPages} pages.`);
    }
    const { title, language, isXfa } = await readMetadata(pdf);
    const form = isXfa ? await readXfa(bytes).catch(() => null) : null;
    if (form) return { title: title ?? form[0]?.headings[0] ?? null, language, sections: form };
    const { pages, damagedCount } = await readPages(pdf);
    const sections = toPdfSections(pages);
    const notices = [
      hasEnd(bytes) ? null : 'The PDF is damaged: its end is missing. What could be read is indexed.',
      describeDamagedPages(damagedCount, pages.length),
      describeEmptyPages(pages, damagedCount),
    ].filter((notice) => notice !== null);
    return {
      title: title ?? sections[0]?.headings[0] ?? null,
      language,
      sections,
      ...(notices.length > 0 && { notice: notices.join(' ') }),
    };
  } finally {
    await pdf.destroy();
  }
}

/** @throws UnreadableDocument if the PDF holds too much text, or if no page can be read */
async function readPages(pdf: PdfDocument): Promise<PdfPages> {
  const annotations = new AnnotationReader(pdf);
  const pages: PdfLine[][] = [];
  let damage: unknown;
  let damagedCount = 0;
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    let lines: PdfLine[] = [];
    try {
      lines = await readPage(pdf, number, annotations);
    } catch (error) {
      damage = error;
      damagedCount++;
    }
    pages.push(lines);
    characters += lines.reduce((total, line) => total + line.text.length, 0);
    if (characters > extractionLimits.textCharacters) {
      throw new UnreadableDocument('too_large', 'The PDF holds more text than Parley reads.');
    }
  }
  if (damagedCount === pages.length)
    throw new UnreadableDocument('damaged', 'The PDF is damaged.', { cause: damage });
  return { pages, damagedCount };
}

async function readPage(pdf: PdfDocument, number: number, annotations: AnnotationReader): Promise<PdfLine[]> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const notes = await annotations.read(page);
  page.cleanup();
  return toPageLines([...items.filter((item) => 'str' in item), ...notes], page.view);
}

function describeDamagedPages(count: number, total: number): string | null {
  return count === 0 ? null : `${count} of ${total} pages are damaged and cannot be read.`;
}

/** Returns a notice for the owner about pages without text, such as scanned pages; null if there are none. */
function describeEmptyPages(pages: readonly (readonly PdfLine[])[], damagedCount: number): string | null {
  const empty = pages.filter((lines) => lines.length === 0).length - damagedCount;
  if (empty <= 0 || empty === pages.length) return null;
  return `${empty} of ${pages.length} pages hold no text, perhaps because they are scans: Parley does not recognize text in pictures.`;
}

async function readMetadata(pdf: PdfDocument): Promise<Metadata> {
  // Damaged metadata do not affect the text.
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

/** Returns the title; null if a program generated it, for example from a file name. */
function keepMeaningfulTitle(title: string): string | null {
  const isLeftover =
    /^(?:untitled|unnamed|\(?anonymous\)?|microsoft word - .*|.*\.(?:docx?|indd|pdf|tex))$/i.test(title);
  return title.length > 1 && !isLeftover ? title : null;
}
