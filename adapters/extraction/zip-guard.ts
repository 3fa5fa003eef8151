import { inflateRawSync } from 'node:zlib';
import { extractionLimits as limits } from './extraction-limits.ts';
import { UnreadableDocument } from './unreadable-document.ts';

interface ZipEntry {
  name: string;
  isEncrypted: boolean;
  method: number;
  packedBytes: number;
  unpackedBytes: number;
  headerOffset: number;
}

const endOfDirectory = Buffer.from('PK\x05\x06', 'latin1');
/** Numbers at the end of the directory that point to a ZIP64 one: of disks, and of entries on this disk. */
const ZIP64_MARKS = [4, 6, 8];
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
const deflated = 8;

/**
 * Refuses an archive that would unpack to too much, before a reader unpacks it. The declared sizes decide
 * first; the parts a reader will use are then unpacked within them, since a directory can lie.
 * @throws UnreadableDocument
 */
export function guardZip(bytes: Buffer, isRead: (name: string) => boolean): void {
  const entries = readDirectory(bytes);
  if (entries.some((entry) => entry.isEncrypted)) {
    throw new UnreadableDocument('encrypted', 'The document is protected by a password.');
  }
  const read = entries.filter((entry) => isRead(entry.name));
  const isBomb =
    sum(entries) > limits.zipTotalBytes ||
    sum(read) > limits.zipXmlBytes ||
    entries.some((entry) => entry.unpackedBytes > 1024 * 1024 && ratio(entry) > limits.zipRatio);
  if (isBomb) throw tooLarge();
  for (const entry of read) unpackWithinDeclaredSize(bytes, entry);
}

function readDirectory(bytes: Buffer): ZipEntry[] {
  const end = bytes.lastIndexOf(endOfDirectory);
  if (end < 0 || end + 22 > bytes.length) throw damaged();
  const count = bytes.readUInt16LE(end + 10);
  if (count > limits.zipEntries) throw tooLarge();
  if (ZIP64_MARKS.some((at) => bytes.readUInt16LE(end + at) === 0xffff)) throw damaged();
  const entries: ZipEntry[] = [];
  let offset = bytes.readUInt32LE(end + 16);
  // Where there is a gap, or more than is counted, a reader may find another directory than this one.
  if (offset + bytes.readUInt32LE(end + 12) !== end) throw damaged();
  for (let index = 0; index < count; index++) {
    if (offset + 46 > end || bytes.readUInt32LE(offset) !== directoryEntry) throw damaged();
    const nameLength = bytes.readUInt16LE(offset + 28);
    entries.push({
      name: bytes.toString('utf8', offset + 46, offset + 46 + nameLength),
      isEncrypted: (bytes.readUInt16LE(offset + 8) & 1) === 1,
      method: bytes.readUInt16LE(offset + 10),
      packedBytes: bytes.readUInt32LE(offset + 20),
      unpackedBytes: bytes.readUInt32LE(offset + 24),
      headerOffset: bytes.readUInt32LE(offset + 42),
    });
    offset += 46 + nameLength + bytes.readUInt16LE(offset + 30) + bytes.readUInt16LE(offset + 32);
  }
  if (offset !== end) throw damaged();
  return entries;
}

function unpackWithinDeclaredSize(bytes: Buffer, entry: ZipEntry): void {
  const { headerOffset, packedBytes, unpackedBytes } = entry;
  if (headerOffset + 30 > bytes.length || bytes.readUInt32LE(headerOffset) !== localHeader) throw damaged();
  if (entry.method !== deflated) return;
  const start =
    headerOffset + 30 + bytes.readUInt16LE(headerOffset + 26) + bytes.readUInt16LE(headerOffset + 28);
  try {
    inflateRawSync(bytes.subarray(start, start + packedBytes), {
      maxOutputLength: Math.max(unpackedBytes, 1),
    });
  } catch (error) {
    const isLie = error instanceof RangeError;
    throw isLie ? tooLarge() : damaged();
  }
}

const sum = (entries: readonly ZipEntry[]) =>
  entries.reduce((total, entry) => total + Math.max(entry.unpackedBytes, entry.packedBytes), 0);

const ratio = (entry: ZipEntry) => entry.unpackedBytes / Math.max(entry.packedBytes, 1);

function damaged(): UnreadableDocument {
  return new UnreadableDocument('damaged', 'The Word document is damaged.');
}

function tooLarge(): UnreadableDocument {
  return new UnreadableDocument('too_large', 'The Word document unpacks to more than Parley reads.');
}
