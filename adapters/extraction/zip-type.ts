import { constants, inflateRawSync } from 'node:zlib';
import type { DocumentType } from './document-types.ts';

interface PackedFile {
  name: string;
  isStored: boolean;
  /**
   * Packed bytes of a file in the ZIP archive, as far as they were read. If the file's size is unknown,
   * includes all following bytes.
   */
  packed: Buffer;
  /** Offset in the archive from which the next file is searched. */
  next: number;
}

type ZipType = { type: DocumentType } | { looksLike: string };

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1');
/** Number of bytes of a ZIP file's local header before the file's name. */
const HEADER_BYTES = 30;
/**
 * Maximum number of files in a ZIP archive that are examined. Files that identify the type are small and come
 * early.
 */
const MAX_FILES = 5000;
const MAX_SCANNED_BYTES = 256 * 1024;
/**
 * Maximum number of bytes of an archive in which files are listed, because the list of a hostile archive
 * takes long.
 */
const MAX_LISTED_BYTES = 1024 * 1024;
/** Maximum number of bytes that are read of a packed file's name. Names that identify the type are short. */
const MAX_NAME_BYTES = 256;
/** Name of the file with the content types of an Office document's parts. */
const CONTENT_TYPES = '[Content_Types].xml';
/** Maximum number of occurrences of this file name that are examined: an Office document has two. */
const MAX_CONTENT_TYPES = 20;

/** Document types by the media type that a ZIP archive declares. */
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
 * Document types by the content type of an Office document's main part. Includes templates and files with
 * macros, which are never run.
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

/** Document types by folder name, for ZIP archives whose identifying file is beyond the examined bytes. */
const FOLDERS: [string, ZipType][] = [
  ['word/', { type: 'docx' }],
  ['xl/', { type: 'xlsx' }],
  ['ppt/', { type: 'pptx' }],
  ['META-INF/container.xml', { type: 'epub' }],
];

/** Detects the document type of a ZIP archive from its first MiB. */
export function zipType(bytes: Buffer): ZipType {
  let byFolder: ZipType | undefined;
  // Unpack each file once: an archive may repeat its header thousands of times.
  const unread = new Map([
    ['mimetype', MEDIA_TYPES],
    [CONTENT_TYPES, MAIN_PARTS],
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

/**
 * Returns whether an Office document has macros, by the names and the content types of its parts. Also returns true
 * for a document whose list of content types is unreadable or one of many, which no Office program writes.
 */
export function hasMacros(bytes: Buffer): boolean {
  if (bytes.includes('vbaProject')) return true;
  let at = bytes.indexOf(CONTENT_TYPES);
  for (let count = 0; at >= 0; count++) {
    if (count === MAX_CONTENT_TYPES) return true;
    const offset = at - HEADER_BYTES;
    if (offset >= 0 && bytes.subarray(offset, offset + LOCAL_HEADER.length).equals(LOCAL_HEADER)) {
      const types = unpack(readPackedFile(bytes, offset)).toString('utf8');
      if (types === '' || /macroEnabled|vbaProject/i.test(types)) return true;
    }
    at = bytes.indexOf(CONTENT_TYPES, at + 1);
  }
  return false;
}

function matchContent(file: PackedFile, known: readonly [RegExp, ZipType][]): ZipType | undefined {
  const text = unpack(file).toString('utf8').trim();
  return known.find(([form]) => form.test(text))?.[1];
}

/**
 * Lists the files in the first MiB of a ZIP archive in stored order. Skips the content of nested archives, if
 * its size is known.
 */
function* listPackedFiles(archive: Buffer): Generator<PackedFile> {
  const bytes = archive.subarray(0, MAX_LISTED_BYTES);
  let offset = bytes.indexOf(LOCAL_HEADER);
  for (let count = 0; offset >= 0 && offset + HEADER_BYTES <= bytes.length && count < MAX_FILES; count++) {
    const file = readPackedFile(bytes, offset);
    yield file;
    offset = bytes.indexOf(LOCAL_HEADER, file.next);
  }
}

/** Reads the packed file whose local header begins at the offset (APPNOTE.TXT, 4.3.7). */
function readPackedFile(bytes: Buffer, offset: number): PackedFile {
  const isSizeUnknown = (bytes.readUInt16LE(offset + 6) & 8) !== 0;
  const nameLength = bytes.readUInt16LE(offset + 26);
  const nameStart = offset + HEADER_BYTES;
  const start = nameStart + nameLength + bytes.readUInt16LE(offset + 28);
  const end = start + bytes.readUInt32LE(offset + 18);
  return {
    name: bytes.toString('utf8', nameStart, nameStart + Math.min(nameLength, MAX_NAME_BYTES)),
    isStored: bytes.readUInt16LE(offset + 8) === 0,
    packed: isSizeUnknown ? bytes.subarray(start) : bytes.subarray(start, end),
    next: isSizeUnknown ? start : end,
  };
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
