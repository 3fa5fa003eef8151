import { constants, inflateRawSync } from 'node:zlib';
import type { DocumentType } from './document-types.ts';

interface PackedFile {
  name: string;
  isStored: boolean;
  /** Packed bytes of the file that were read. If the file's size is unknown, includes all following bytes. */
  packed: Buffer;
}

type ZipType = { type: DocumentType } | { looksLike: string };

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1');
/** Maximum number of files to examine. Files that identify the type are small and come early. */
const MAX_FILES = 5000;
const MAX_SCANNED_BYTES = 256 * 1024;

/** Types by the media type that the archive declares. */
const MEDIA_TYPES: [RegExp, ZipType][] = [
  [/^application\/epub\+zip/, { type: 'epub' }],
  [/^application\/vnd\.oasis\.opendocument\.text(?:-template|-master)?(?![\w-])/, { type: 'odt' }],
  [
    /^application\/vnd\.oasis\.opendocument\.spreadsheet/,
    { looksLike: 'an OpenDocument spreadsheet (ODS); save it as XLSX' },
  ],
  [
    /^application\/vnd\.oasis\.opendocument\.presentation/,
    { looksLike: 'an OpenDocument presentation (ODP); save it as PPTX or PDF' },
  ],
  [/^application\/vnd\.oasis/, { looksLike: 'an OpenDocument file' }],
];

/**
 * Types by the content type of an Office document's main part. Includes templates and files with macros,
 * which are never run.
 */
const MAIN_PARTS: [RegExp, ZipType][] = [
  [
    /wordprocessingml\.(?:document|template)\.main\+xml|ms-word\.\w+\.macroEnabled\w*\.main\+xml/i,
    { type: 'docx' },
  ],
  [
    /spreadsheetml\.(?:sheet|template)\.main\+xml|ms-excel\.(?:sheet|template)\.macroEnabled\.main\+xml/i,
    { type: 'xlsx' },
  ],
  [
    /presentationml\.(?:presentation|template|slideshow)\.main\+xml|ms-powerpoint\.\w+\.macroEnabled\.main\+xml/i,
    { type: 'pptx' },
  ],
  [/ms-excel\.sheet\.binary/i, { looksLike: 'a binary Excel workbook (XLSB); save it as XLSX' }],
];

/** Types by folder name, for archives whose identifying file is beyond the examined bytes. */
const FOLDERS: [string, ZipType][] = [
  ['word/', { type: 'docx' }],
  ['xl/', { type: 'xlsx' }],
  ['ppt/', { type: 'pptx' }],
  ['META-INF/container.xml', { type: 'epub' }],
];

/** Detects the document type of a ZIP archive from its first MiB. */
export function zipType(bytes: Buffer): ZipType {
  let byFolder: ZipType | undefined;
  // Unpacks each file once: an archive may repeat its header thousands of times.
  const unread = new Map([
    ['mimetype', MEDIA_TYPES],
    ['[Content_Types].xml', MAIN_PARTS],
  ]);
  for (const file of listPackedFiles(bytes)) {
    const known = unread.get(file.name);
    unread.delete(file.name);
    const byContent = known && matchContent(file, known);
    if (byContent) return byContent;
    byFolder ??= FOLDERS.find(([start]) => file.name.startsWith(start))?.[1];
  }
  return byFolder ?? { looksLike: 'a ZIP archive' };
}

/** Returns whether an Office document has macros, by the names and the content types of its parts. */
export function hasMacros(bytes: Buffer): boolean {
  if (bytes.includes('vbaProject')) return true;
  for (const file of listPackedFiles(bytes))
    if (file.name === '[Content_Types].xml')
      return /macroEnabled|vbaProject/i.test(unpack(file).toString('utf8'));
  return false;
}

function matchContent(file: PackedFile, known: readonly [RegExp, ZipType][]): ZipType | undefined {
  const text = unpack(file).toString('utf8').trim();
  return known.find(([form]) => form.test(text))?.[1];
}

/**
 * Lists the files of an archive in stored order. Skips the content of nested archives, if its size is known.
 */
function* listPackedFiles(bytes: Buffer): Generator<PackedFile> {
  let offset = bytes.indexOf(LOCAL_HEADER);
  for (let count = 0; offset >= 0 && offset + 30 <= bytes.length && count < MAX_FILES; count++) {
    const isSizeUnknown = (bytes.readUInt16LE(offset + 6) & 8) !== 0;
    const nameLength = bytes.readUInt16LE(offset + 26);
    const start = offset + 30 + nameLength + bytes.readUInt16LE(offset + 28);
    const end = isSizeUnknown ? bytes.length : start + bytes.readUInt32LE(offset + 18);
    yield {
      name: bytes.toString('utf8', offset + 30, offset + 30 + nameLength),
      isStored: bytes.readUInt16LE(offset + 8) === 0,
      packed: bytes.subarray(start, end),
    };
    offset = bytes.indexOf(LOCAL_HEADER, isSizeUnknown ? start : end);
  }
}

function unpack({ isStored, packed }: PackedFile): Buffer {
  if (isStored) return packed.subarray(0, MAX_SCANNED_BYTES);
  try {
    return inflateRawSync(packed, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: MAX_SCANNED_BYTES,
    });
  } catch {
    return Buffer.alloc(0);
  }
}
