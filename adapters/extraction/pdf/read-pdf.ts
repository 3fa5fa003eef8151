import { getDocumentProxy } from 'unpdf';
import { cleanLine } from '../clean-text.ts';
import { parsePrimaryLanguage, type ReadResult } from '../extracted-document.ts';
import { extractionLimits } from '../extraction-limits.ts';
import { PdfLibraryFiles } from './pdf-library-files.ts';
import { toPageLines, type PdfLine } from './pdf-lines.ts';
import { toPdfSections } from './pdf-sections.ts';
import { UnreadableDocument } from '../unreadable-document.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Reads the text of a PDF page by page. Recognizes headings by their letter size. */
export async function readPdf(bytes: Uint8Array): Promise<ReadResult> {
  assertComplete(bytes);
  const pdf = await open(bytes);
  try {
    if (pdf.numPages > extractionLimits.pdfPages) {
      throw new UnreadableDocument('too_large', `The PDF has more than ${extractionLimits.pdfPages} pages.`);
    }
    const { title, language } = await readMetadata(pdf);
    const pages = await readPages(pdf);
    const sections = toPdfSections(pages);
    const notice = describeEmptyPages(pages);
    return {
      title: title ?? sections[0]?.headings[0] ?? null,
      language,
      sections,
      ...(notice && { notice }),
    };
  } finally {
    await pdf.destroy();
  }
}

/**
 * Refuses a truncated file. pdf.js would repair it, and half a manual would be indexed as if it were
 * complete.
 */
function assertComplete(bytes: Uint8Array): void {
  const tail = Buffer.from(bytes.subarray(-2048)).toString('latin1');
  if (!/%%EOF|startxref/.test(tail)) {
    throw new UnreadableDocument('damaged', 'The PDF is damaged: its end is missing.');
  }
}

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // Copies the bytes, since pdf.js detaches the buffer. Verbosity 0 disables its warnings on the console.
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      useSystemFonts: false,
      useWorkerFetch: false,
      BinaryDataFactory: PdfLibraryFiles,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new UnreadableDocument('encrypted', 'The PDF is protected by a password.', { cause: error });
    }
    throw new UnreadableDocument('damaged', 'The PDF is damaged.', { cause: error });
  }
}

async function readPages(pdf: PdfDocument): Promise<PdfLine[][]> {
  const pages: PdfLine[][] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines = toPageLines(
      items.filter((item) => 'str' in item),
      page.view,
    );
    page.cleanup();
    pages.push(lines);
    characters += lines.reduce((total, line) => total + line.text.length, 0);
    if (characters > extractionLimits.textCharacters) {
      throw new UnreadableDocument('too_large', 'The PDF holds more text than Parley reads.');
    }
  }
  return pages;
}

/** Returns a notice for the owner about pages without text, such as scanned pages; null if there are none. */
function describeEmptyPages(pages: readonly (readonly PdfLine[])[]): string | null {
  const empty = pages.filter((lines) => lines.length === 0).length;
  if (empty === 0 || empty === pages.length) return null;
  return `${empty} of ${pages.length} pages hold no text, perhaps because they are scans: Parley does not recognize text in pictures.`;
}

async function readMetadata(pdf: PdfDocument): Promise<{ title: string | null; language: string | null }> {
  const { info } = await pdf.getMetadata();
  const { Title: title, Language: language } = info as { Title?: unknown; Language?: unknown };
  return {
    title: typeof title === 'string' ? keepMeaningfulTitle(cleanLine(title)) : null,
    language: typeof language === 'string' ? parsePrimaryLanguage(language) : null,
  };
}

/** Returns the title; null if a program generated it, for example from a file name. */
function keepMeaningfulTitle(title: string): string | null {
  const isLeftover =
    /^(?:untitled|unnamed|\(?anonymous\)?|microsoft word - .*|.*\.(?:docx?|indd|pdf|tex))$/i.test(title);
  return title.length > 1 && !isLeftover ? title : null;
}
