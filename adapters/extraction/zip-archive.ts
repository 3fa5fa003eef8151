import { crc32, inflateRawSync } from 'node:zlib';
import { extractionLimits as limits } from './extraction-limits.ts';
import { UnreadableDocument } from './unreadable-document.ts';

interface ZipEntry {
  name: string;
  isEncrypted: boolean;
  method: number;
  checksum: number;
  packedBytes: number;
  unpackedBytes: number;
  headerOffset: number;
}

const endOfDirectory = Buffer.from('PK\x05\x06', 'latin1');
/** Offsets in the end record of a ZIP file at which the value 0xFFFF refers to a ZIP64 directory. */
const ZIP64_MARKS = [4, 6, 8];
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
const stored = 0;
const deflated = 8;

/**
 * Reads the parts of a ZIP-based document. Checks the sizes in the directory first. Since these sizes may be
 * false, also limits unpacking to these sizes. Part names are only keys, never paths of files.
 */
export class ZipArchive {
  readonly #bytes: Buffer;
  /** Name of the document's format, for error messages. */
  readonly #document: string;
  readonly #entries: Map<string, ZipEntry>;

  /** @throws UnreadableDocument if the archive is damaged, encrypted, or exceeds the limits */
  constructor(bytes: Buffer, document: string) {
    this.#bytes = bytes;
    this.#document = document;
    const entries = this.#readDirectory();
    if (entries.some((entry) => entry.isEncrypted)) {
      throw new UnreadableDocument('encrypted', `The ${document} is protected by a password.`);
    }
    const isBomb =
      sumUnpackedBytes(entries) > limits.zipTotalBytes ||
      entries.some((entry) => entry.unpackedBytes > 1024 * 1024 && computeRatio(entry) > limits.zipRatio);
    if (isBomb) throw this.#createTooLargeError();
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Refuses a ZIP archive whose parts of a kind do not fit into memory together.
   * @throws UnreadableDocument
   */
  assertFit(isUsed: (name: string) => boolean): void {
    const usedEntries = [...this.#entries.values()].filter(({ name }) => isUsed(name));
    if (sumUnpackedBytes(usedEntries) > limits.zipXmlBytes) throw this.#createTooLargeError();
  }

  /** Unpacks a part of the ZIP archive. @throws UnreadableDocument, also if the part does not exist */
  read(name: string): Buffer {
    const content = this.readIfAny(name);
    if (!content) throw this.#createDamagedError();
    return content;
  }

  /**
   * Unpacks a part of the ZIP archive. Returns null if the part does not exist.
   * @throws UnreadableDocument
   */
  readIfAny(name: string): Buffer | null {
    const entry = this.#entries.get(name);
    if (!entry) return null;
    if (entry.unpackedBytes > limits.zipPartBytes) throw this.#createTooLargeError();
    return this.#unpack(entry);
  }

  #readDirectory(): ZipEntry[] {
    const bytes = this.#bytes;
    const end = bytes.lastIndexOf(endOfDirectory);
    if (end < 0 || end + 22 > bytes.length) throw this.#createDamagedError(': its end is missing');
    const count = bytes.readUInt16LE(end + 10);
    if (count > limits.zipEntries) throw this.#createTooLargeError();
    if (ZIP64_MARKS.some((at) => bytes.readUInt16LE(end + at) === 0xffff)) throw this.#createDamagedError();
    const entries: ZipEntry[] = [];
    let offset = bytes.readUInt32LE(end + 16);
    // Refuse gaps and further entries after the directory, through which another program could find a
    // different directory.
    if (offset + bytes.readUInt32LE(end + 12) !== end) throw this.#createDamagedError();
    for (let index = 0; index < count; index++) {
      if (offset + 46 > end || bytes.readUInt32LE(offset) !== directoryEntry)
        throw this.#createDamagedError();
      const nameLength = bytes.readUInt16LE(offset + 28);
      entries.push({
        name: bytes.toString('utf8', offset + 46, offset + 46 + nameLength),
        isEncrypted: (bytes.readUInt16LE(offset + 8) & 1) === 1,
        method: bytes.readUInt16LE(offset + 10),
        checksum: bytes.readUInt32LE(offset + 16),
        packedBytes: bytes.readUInt32LE(offset + 20),
        unpackedBytes: bytes.readUInt32LE(offset + 24),
        headerOffset: bytes.readUInt32LE(offset + 42),
      });
      offset += 46 + nameLength + bytes.readUInt16LE(offset + 30) + bytes.readUInt16LE(offset + 32);
    }
    if (offset !== end) throw this.#createDamagedError();
    return entries;
  }

  #unpack(entry: ZipEntry): Buffer {
    const bytes = this.#bytes;
    const { headerOffset, packedBytes } = entry;
    if (headerOffset + 30 > bytes.length || bytes.readUInt32LE(headerOffset) !== localHeader)
      throw this.#createDamagedError();
    const start =
      headerOffset + 30 + bytes.readUInt16LE(headerOffset + 26) + bytes.readUInt16LE(headerOffset + 28);
    const content = this.#inflate(entry, bytes.subarray(start, start + packedBytes));
    if (crc32(content) !== entry.checksum) throw this.#createDamagedError();
    return content;
  }

  #inflate({ method, unpackedBytes }: ZipEntry, packed: Buffer): Buffer {
    if (method === stored) return packed;
    if (method !== deflated) throw this.#createDamagedError();
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(unpackedBytes, 1) });
    } catch (error) {
      const exceedsDeclaredSize = error instanceof RangeError;
      throw exceedsDeclaredSize ? this.#createTooLargeError() : this.#createDamagedError();
    }
  }

  /** @param cause clause that follows the word “damaged” in the message */
  #createDamagedError(cause = ''): UnreadableDocument {
    return new UnreadableDocument('damaged', `The ${this.#document} is damaged${cause}.`);
  }

  #createTooLargeError(): UnreadableDocument {
    return new UnreadableDocument('too_large', `The ${this.#document} unpacks to more than Parley can read.`);
  }
}

const sumUnpackedBytes = (entries: readonly ZipEntry[]) =>
  entries.reduce((total, entry) => total + Math.max(entry.unpackedBytes, entry.packedBytes), 0);

const computeRatio = (entry: ZipEntry) => entry.unpackedBytes / Math.max(entry.packedBytes, 1);
