import { extname } from 'node:path';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { decodeText, markedEncoding, unmarkedUtf16 } from './decode-text.ts';

export type DocumentType = 'pdf' | 'docx' | 'html' | 'markdown' | 'text' | 'csv';

/** What the sender says about the file; believed only among text types. */
export interface TypeHint {
  filename?: string | null;
  mimeType?: string | null;
}

export const mimeTypes: Record<DocumentType, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
  csv: 'text/csv',
};

const names: Record<DocumentType, string> = {
  pdf: 'a PDF',
  docx: 'a Word document (DOCX)',
  html: 'an HTML page',
  markdown: 'Markdown',
  text: 'plain text',
  csv: 'CSV',
};

const typesByExtension = new Map<string, DocumentType>([
  ['.pdf', 'pdf'],
  ['.docx', 'docx'],
  ...['.html', '.htm', '.xhtml'].map((extension) => [extension, 'html'] as const),
  ...['.md', '.markdown', '.mdown', '.mkd'].map((extension) => [extension, 'markdown'] as const),
  ...['.txt', '.text', '.log'].map((extension) => [extension, 'text'] as const),
  ...['.csv', '.tsv'].map((extension) => [extension, 'csv'] as const),
]);

const typesByMime = new Map<string, DocumentType>([
  ...Object.entries(mimeTypes).map(([type, mime]) => [mime, type as DocumentType] as const),
  ['application/xhtml+xml', 'html'],
  ['text/x-markdown', 'markdown'],
  ['application/csv', 'csv'],
  ['text/tab-separated-values', 'csv'],
]);

/** What formats that are refused by name have at which offset, in latin1. */
const signatures: [number, string, string][] = [
  [0, '\x89PNG', 'a PNG image'],
  [0, '\xff\xd8\xff', 'a JPEG image'],
  [0, 'GIF8', 'a GIF image'],
  [8, 'WEBP', 'a WebP image'],
  [0, 'II*\0', 'a TIFF image'],
  [0, 'MM\0*', 'a TIFF image'],
  [0, '\x1f\x8b', 'a gzip archive'],
  [0, '7z\xbc\xaf', 'a 7-Zip archive'],
  [0, 'Rar!\x1a', 'a RAR archive'],
  [0, '{\\rtf', 'an RTF document'],
  [0, '%!PS', 'a PostScript file'],
  [0, '\x7fELF', 'a program'],
  [0, 'MZ\x90\0', 'a program'],
  [0, 'SQLite format 3\0', 'a database'],
  [4, 'ftyp', 'a video'],
  [8, 'WAVE', 'an audio file'],
  [0, 'OggS', 'an audio file'],
  [0, 'fLaC', 'an audio file'],
];

const zipContents: [string, string][] = [
  ['xl/', 'an Excel workbook (XLSX)'],
  ['ppt/', 'a PowerPoint presentation (PPTX)'],
  ['mimetypeapplication/epub', 'an EPUB book'],
  ['mimetypeapplication/vnd.oasis', 'an OpenDocument file'],
];

const zipEntry = 'PK\x03\x04';
const accepted = 'Accepted are PDF, DOCX, HTML, Markdown, plain text and CSV.';
const sampleBytes = 64 * 1024;

/**
 * Decides by content, not by name; `content` is the file or at least its first 64 KiB.
 * @throws AppError `unsupported_media_type`, or `validation_error` for an empty file.
 */
export function detectType(content: Uint8Array, hint: TypeHint = {}): DocumentType {
  if (content.length === 0) throw invalidField('file', 'is empty');
  const claimed = claimedType(hint);
  const found = contentType(content, claimed);
  if ((claimed === 'pdf' || claimed === 'docx') && claimed !== found) {
    throw refused(`The file is named or declared as ${names[claimed]}, but it contains ${names[found]}.`);
  }
  return found;
}

function contentType(content: Uint8Array, claimed: DocumentType | null): DocumentType {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const head = bytes.subarray(0, 1024).toString('latin1');
  if (/%PDF-\d/.test(head)) return 'pdf';
  if (head.startsWith(zipEntry) || head.startsWith('PK\x05\x06')) return zipType(bytes);
  if (head.startsWith('\xd0\xcf\x11\xe0')) return oleType(bytes, claimed);
  const signature = signatures.find(([offset, magic]) => head.startsWith(magic, offset));
  if (signature) throw looksLike(signature[2]);
  if (isBinary(bytes.subarray(0, sampleBytes))) throw looksLike('a binary file');
  return textType(decodeText(bytes.subarray(0, sampleBytes)), claimed);
}

function claimedType({ filename, mimeType }: TypeHint): DocumentType | null {
  const byName = typesByExtension.get(extname(filename ?? '').toLowerCase());
  return byName ?? typesByMime.get(mimeType?.split(';')[0]?.trim().toLowerCase() ?? '') ?? null;
}

function zipType(bytes: Buffer): DocumentType {
  const archive = bytes.subarray(0, 1024 * 1024).toString('latin1');
  const entryNames = archive.split(zipEntry).map((entry) => entry.slice(26, 226));
  if (entryNames.some((name) => name.startsWith('word/'))) return 'docx';
  const known = zipContents.find(([start]) => entryNames.some((name) => name.startsWith(start)));
  throw looksLike(known?.[1] ?? 'a ZIP archive');
}

/** Word keeps a password-protected DOCX in an OLE container; reading it fails with that reason. */
function oleType(bytes: Buffer, claimed: DocumentType | null): DocumentType {
  if (claimed === 'docx' || isEncryptedPackage(bytes)) return 'docx';
  throw looksLike('an old Office file (such as .doc or .xls); save it as DOCX or PDF');
}

/** Whether an OLE container holds an encrypted DOCX rather than an old binary document. */
export function isEncryptedPackage(bytes: Buffer): boolean {
  return bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
}

function isBinary(sample: Uint8Array): boolean {
  if (markedEncoding(sample) ?? unmarkedUtf16(sample)) return false;
  const controls = sample.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0);
  return controls > sample.length / 100 || (sample.includes(0) && controls > 8);
}

/** Tab, line feed, form feed, carriage return and escape (ISO-2022-JP) belong to text. */
function isControl(byte: number): boolean {
  return byte < 32 && ![9, 10, 12, 13, 27].includes(byte);
}

function textType(sample: string, claimed: DocumentType | null): DocumentType {
  const start = sample.slice(0, 4096).replace(/<!--[^]*?-->/g, '');
  const isPage = /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(start);
  if (isPage || (claimed === 'html' && /<[a-z][^<>]*>/i.test(sample))) return 'html';
  return claimed === 'markdown' || claimed === 'csv' ? claimed : 'text';
}

function looksLike(what: string): AppError {
  return refused(`The file looks like ${what}.`);
}

function refused(message: string): AppError {
  return new AppError('unsupported_media_type', `${message} ${accepted}`);
}
