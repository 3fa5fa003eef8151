import { extname } from 'node:path';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { decodeAs } from './encoding/encodings.ts';
import { detectByteOrderMark, detectUnmarkedUnicode } from './encoding/unicode-bytes.ts';
import {
  acceptedFormats,
  documentFormats,
  typesByExtension,
  typesByMimeType,
  type DocumentType,
} from './document-types.ts';
import { zipType } from './zip-type.ts';

/**
 * Name and type of a document as the sender declares them. They only help to detect the type: the content
 * decides. A declared PDF, Office or EPUB type must match the content.
 */
export interface TypeHint {
  filename?: string | null;
  mimeType?: string | null;
  /**
   * Name of the file for error messages, because callers send many files; omitted where the document is
   * known.
   */
  shownName?: string;
}

/**
 * Signatures of unsupported file formats, so that the refusal can name the format: offset, bytes in latin1,
 * name.
 */
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

/**
 * Old Office formats, recognized by the name of a stream in the OLE container (UTF-16), and what to do
 * instead of uploading them.
 */
const oldOffice: [string, string][] = [
  ['WordDocument', 'an old Word document (.doc); save it as DOCX or PDF'],
  ['Workbook', 'an old Excel workbook (.xls); save it as XLSX'],
  ['PowerPoint Document', 'an old PowerPoint presentation (.ppt); save it as PPTX or PDF'],
];

const zipSignature = 'PK\x03\x04';
const emptyZip = 'PK\x05\x06';
/**
 * Document types that the content must confirm if the sender declares them. All other types are text formats,
 * for which the declaration is only a hint.
 */
const strictTypes = new Set<DocumentType>(['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'epub']);
const sampleBytes = 64 * 1024;

/**
 * Detects the type of a document by its content, never by its name alone.
 * @param content the whole file or its beginning: at least 64 KiB, or 1 MiB for a ZIP archive
 * @throws AppError `unsupported_media_type`, or `validation_error` if the file is empty
 */
export function detectType(content: Uint8Array, hint: TypeHint = {}): DocumentType {
  const { shownName } = hint;
  if (content.length === 0)
    throw invalidField(
      'file',
      shownName ? `is empty (${shownName})` : 'is empty; with curl, use -F file=@<path>',
    );
  const file = shownName ? `The file ${shownName}` : 'The file';
  const claimed = findClaimedType(hint);
  const found = detectContentType(content, claimed, file);
  if (claimed && strictTypes.has(claimed) && claimed !== found) {
    const { description, extensions } = documentFormats[found];
    throw new AppError(
      'unsupported_media_type',
      `${file} is named or declared as ${documentFormats[claimed].description}, but it contains ${description}. If the content is right, send the file with the extension ${extensions[0]} and the matching type. Otherwise, send the correct file.`,
    );
  }
  return found;
}

/** @param file name of the file in error messages */
function detectContentType(content: Uint8Array, claimed: DocumentType | null, file: string): DocumentType {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const head = bytes.subarray(0, 1024).toString('latin1');
  if (/%PDF-\d/.test(head) || (claimed === 'pdf' && /\b\d+ \d+ obj\b/.test(head))) return 'pdf';
  if (head.startsWith(zipSignature) || head.startsWith(emptyZip)) return detectZipType(bytes, file);
  if (head.startsWith('\xd0\xcf\x11\xe0')) return detectOleType(bytes, claimed, file);
  const signature = signatures.find(([offset, magic]) => head.startsWith(magic, offset));
  if (signature) throw createUnsupportedTypeError(file, signature[2]);
  const sample = bytes.subarray(0, sampleBytes);
  const type = detectTextType(decodeSample(sample).replaceAll('\0', ''), claimed, file);
  // Ignore NUL bytes in HTML, as browsers do: faulty scripts pad pages with them.
  if (isBinary(type === 'html' ? sample.filter((byte) => byte !== 0) : sample)) {
    throw createUnsupportedTypeError(file, 'a binary file');
  }
  return type;
}

function findClaimedType({ filename, mimeType }: TypeHint): DocumentType | null {
  const byName = typesByExtension.get(extname(filename ?? '').toLowerCase());
  return byName ?? typesByMimeType.get(mimeType?.split(';')[0]?.trim().toLowerCase() ?? '') ?? null;
}

function detectZipType(bytes: Buffer, file: string): DocumentType {
  const found = zipType(bytes);
  if ('type' in found) return found.type;
  throw createUnsupportedTypeError(file, found.looksLike);
}

/**
 * Detects the type of an old Office document (OLE container). Modern documents with a password are also in
 * such a container; the reader of their type then refuses them.
 */
function detectOleType(bytes: Buffer, claimed: DocumentType | null, file: string): DocumentType {
  const old = oldOffice.find(([stream]) => bytes.includes(Buffer.from(stream, 'utf16le')));
  if (!old && (claimed === 'docx' || claimed === 'xlsx' || claimed === 'pptx')) return claimed;
  if (isEncryptedPackage(bytes)) return 'docx';
  throw createUnsupportedTypeError(
    file,
    old?.[1] ?? 'an old Office file (such as .doc, .xls or .ppt); save it as DOCX, XLSX, PPTX or PDF',
  );
}

/**
 * Returns whether an OLE container holds an encrypted modern document, rather than an old binary document.
 */
export function isEncryptedPackage(bytes: Buffer): boolean {
  return bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
}

/** Decodes the beginning of a file well enough to find HTML and XML elements, whose names are ASCII. */
function decodeSample(sample: Buffer): string {
  const encoding = detectByteOrderMark(sample) ?? detectUnmarkedUnicode(sample);
  return encoding === null ? sample.toString('latin1') : decodeAs(encoding, sample);
}

function isBinary(sample: Uint8Array): boolean {
  if (detectByteOrderMark(sample) ?? detectUnmarkedUnicode(sample)) return false;
  const controls = sample.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0);
  return controls > sample.length / 100 || (sample.includes(0) && controls > 8);
}

/**
 * Returns whether a byte is a control character that does not occur in text files. Tab, line feed, form feed
 * and carriage return do occur, as do escape and the shifts of ISO-2022.
 */
function isControl(byte: number): boolean {
  return byte < 32 && ![9, 10, 12, 13, 14, 15, 27].includes(byte);
}

function detectTextType(sample: string, claimed: DocumentType | null, file: string): DocumentType {
  const start = sample.slice(0, 4096).replace(/<!--[^]*?-->/g, '');
  const isPage = /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(start);
  if (isPage || (claimed === 'html' && /<[a-z][^<>]*>/i.test(sample))) return 'html';
  if (/^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+svg|svg)\b/i.test(start))
    throw createUnsupportedTypeError(file, 'an SVG image');
  return claimed === 'markdown' || claimed === 'csv' ? claimed : 'text';
}

function createUnsupportedTypeError(file: string, description: string): AppError {
  return createTypeRefusal(`${file} looks like ${description}.`);
}

function createTypeRefusal(message: string): AppError {
  return new AppError('unsupported_media_type', `${message} Accepted formats: ${acceptedFormats}.`);
}
