import { fstatSync, readSync } from 'node:fs';
import { AppError } from '../../core/errors/errors.ts';
import { cleanText } from './clean-text.ts';
import { detectType } from './detect-type.ts';
import { documentFormats, type DocumentType } from './document-types.ts';
import type { TextHints } from './encoding/decode-text.ts';
import type { ExtractedDocument, ReadResult } from './extracted-document.ts';
import { extractionLimits } from './extraction-limits.ts';
import type { PageRecognition } from './page-recognition.ts';
import { isUnreadable, UnreadableDocument } from './unreadable-document.ts';

/**
 * A document to read: its bytes or the descriptor of an open file, with name and type as the sender declares
 * them.
 */
export type DocumentSource = ({ file: number } | { bytes: Uint8Array }) & {
  filename: string | null;
  mimeType: string | null;
} & Pick<TextHints, 'encoding' | 'language'>;

type Reader = (
  bytes: Uint8Array,
  hints: TextHints,
  recognition: PageRecognition,
) => ReadResult | Promise<ReadResult>;

/**
 * Readers of documents by type. Each is imported on first use, so that a text file does not load the PDF
 * library.
 */
const readers: Record<DocumentType, () => Promise<Reader>> = {
  pdf: async () => (await import('./pdf/read-pdf.ts')).readPdf,
  docx: async () => (await import('./office/word/read-docx.ts')).readDocx,
  xlsx: async () => (await import('./office/read-xlsx.ts')).readXlsx,
  pptx: async () => (await import('./office/read-pptx.ts')).readPptx,
  odt: async () => (await import('./office/odt/read-odt.ts')).readOdt,
  epub: async () => (await import('./html/read-epub.ts')).readEpub,
  html: async () => (await import('./html/read-html.ts')).readHtml,
  csv: async () => (await import('./csv/read-csv.ts')).readCsv,
  markdown: async () => (await import('./read-text.ts')).readMarkdown,
  text: async () => (await import('./read-text.ts')).readPlainText,
};

/**
 * A document whose type is known and whose reader is loaded. Its content affects only the duration of
 * `extract`.
 */
export interface OpenedDocument {
  /**
   * Extracts the document's text with its headings.
   * @throws UnreadableDocument
   */
  extract(recognition?: PageRecognition): Promise<ExtractedDocument>;
}

/**
 * Detects a document's type, and loads the reader of that type. The document's content decides the cost in
 * CPU and memory. Outside of tests, therefore, only short texts are opened without a limited thread.
 * @throws UnreadableDocument
 */
export async function openDocument(source: DocumentSource): Promise<OpenedDocument> {
  const bytes = 'bytes' in source ? source.bytes : readFileFromStart(source.file);
  if (bytes.length === 0) throw new UnreadableDocument('empty', 'The file is empty.');
  const type = detectSourceType(bytes, source);
  const reader = await readers[type]();
  return {
    extract: async (recognition = 'off') =>
      toDocument(type, await readOrReport(type, () => reader(bytes, source, recognition)), source),
  };
}

/**
 * Extracts the text of a document with its headings.
 * @throws UnreadableDocument
 */
export async function extractDocument(
  source: DocumentSource,
  recognition?: PageRecognition,
): Promise<ExtractedDocument> {
  const document = await openDocument(source);
  return document.extract(recognition);
}

/** Reads a whole open file from its start, independent of the current position of its descriptor. */
function readFileFromStart(file: number): Uint8Array {
  const bytes = Buffer.alloc(fstatSync(file).size);
  let length = 0;
  while (length < bytes.length) {
    const readBytes = readSync(file, bytes, length, bytes.length - length, length);
    if (readBytes === 0) break;
    length += readBytes;
  }
  return bytes.subarray(0, length);
}

function toDocument(
  type: DocumentType,
  result: ReadResult,
  { encoding }: Pick<DocumentSource, 'encoding'>,
): ExtractedDocument {
  const sections = result.sections
    .map((section) => ({ ...section, text: cleanText(section.text).trim() }))
    .filter((section) => /[\p{L}\p{N}]/u.test(section.text));
  const wrongEncoding = result.notice === undefined ? null : (encoding ?? null);
  assertReadable(type, sections, wrongEncoding);
  return { ...result, mimeType: documentFormats[type].mimeType, sections };
}

async function readOrReport(
  type: DocumentType,
  reader: () => ReadResult | Promise<ReadResult>,
): Promise<ReadResult> {
  try {
    return await reader();
  } catch (error) {
    if (isUnreadable(error)) throw error;
    throw new UnreadableDocument(
      'damaged',
      `The ${documentFormats[type].name} is damaged or has an unusual structure.`,
      {
        cause: error,
      },
    );
  }
}

function detectSourceType(bytes: Uint8Array, source: DocumentSource): DocumentType {
  try {
    return detectType(bytes, source);
  } catch (error) {
    if (error instanceof AppError)
      throw new UnreadableDocument('unsupported', error.message, { cause: error });
    throw error;
  }
}

/**
 * @param wrongEncoding character encoding that the document's owner named, if the bytes hardly fit it; null
 * otherwise
 */
function assertReadable(
  type: DocumentType,
  sections: ExtractedDocument['sections'],
  wrongEncoding: string | null,
): void {
  const characters = sections.reduce((total, section) => total + section.text.length, 0);
  if (characters > extractionLimits.textCharacters || sections.length > extractionLimits.sections) {
    throw new UnreadableDocument(
      'too_large',
      `The ${documentFormats[type].name} contains more text than Parley can read.`,
    );
  }
  if (sections.length > 0) return;
  const { name } = documentFormats[type];
  throw new UnreadableDocument(
    'no_text',
    wrongEncoding === null
      ? `The ${name} contains no text. Parley reads text in pictures only in PDFs. Send a file with text.`
      : `The ${name} contains no text in ${wrongEncoding}, the specified encoding. Omit the encoding, or specify the correct one.`,
  );
}
