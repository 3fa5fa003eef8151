import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { constants, crc32, createInflateRaw, createUnzip, type InflateRaw } from 'node:zlib';

/** First bytes of every gzip member (RFC 1952). */
export const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const FIXED_HEADER_BYTES = 10;
/** Number of bytes of the checksum and the length, which follow the compressed data of a gzip member. */
const TRAILER_BYTES = 8;
const MAX_HEADER_BYTES = 128 * 1024;
/** Maximum number of bytes to decompress at once, so that a large response does not block the event loop. */
const MAX_WRITE_BYTES = 64 * 1024;
/** Maximum number of a gzip file's members that may be empty or short; each needs a decoder. */
const FREE_MEMBERS = 16;
/**
 * Minimum average size in bytes of a gzip file's members beyond `FREE_MEMBERS`. Programs that split files
 * make members of 64 KB.
 */
const MIN_AVERAGE_BYTES = 4096;
/** Flags of a gzip header, each of which announces an optional field. */
const FLAG = { checksum: 2, extra: 4, name: 8, comment: 16 };

// Flushes at the end of the data instead of failing, so that empty and truncated gzip streams are tolerated,
// as in curl and browsers.
const finishFlush = constants.Z_SYNC_FLUSH;

/**
 * Decompresses gzip as a stream. Ignores bytes after the last member, such as the comment of a cache. Node's
 * own decoder fails at such bytes, and loses the text of the last chunk. Data without a gzip header is
 * decompressed as zlib. The caller closes the source.
 * @throws Error with a code of `node:zlib` if the data is corrupt
 */
export async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = new GzipInput(source);
  if (!(await input.startsWithMagic())) {
    yield* pipeline(input.readRest(), createUnzip({ finishFlush }), () => {}) as AsyncIterable<Buffer>;
    return;
  }
  let sizeBytes = 0;
  for (let members = 0; await input.startsWithMagic(); members += 1) {
    if (members >= FREE_MEMBERS + Math.floor(sizeBytes / MIN_AVERAGE_BYTES))
      throw createDataError('too many short gzip members');
    await input.skipHeader();
    let checksum = 0;
    for await (const chunk of input.inflateMember()) {
      checksum = crc32(chunk, checksum);
      sizeBytes += chunk.length;
      yield chunk;
    }
    const trailer = await input.take(TRAILER_BYTES);
    if (trailer.length === TRAILER_BYTES && trailer.readUInt32LE() !== checksum)
      throw createDataError('incorrect data check');
  }
}

function createDataError(message: string): Error {
  return Object.assign(new Error(message), { code: 'Z_DATA_ERROR' });
}

class GzipInput {
  readonly #chunks: AsyncIterator<Buffer>;
  /** Bytes that were read from the source, but not used yet. */
  #rest = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  async startsWithMagic(): Promise<boolean> {
    await this.#fill(GZIP_MAGIC.length);
    return this.#rest.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
  }

  /** Returns the next `count` bytes, or fewer if the source ends before. */
  async take(count: number): Promise<Buffer> {
    await this.#fill(count);
    const bytes = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return bytes;
  }

  async skipHeader(): Promise<void> {
    let length = measureHeader(this.#rest);
    while (length === null && this.#rest.length < MAX_HEADER_BYTES) {
      // Read twice as much each time, so that a long gzip header in small chunks takes linear time.
      const hasMore = await this.#fill(Math.min(2 * this.#rest.length, MAX_HEADER_BYTES));
      length = measureHeader(this.#rest);
      if (!hasMore) break;
    }
    await this.take(length ?? this.#rest.length);
  }

  /** Decompresses the data of one gzip member, and keeps the bytes that follow the member. */
  async *inflateMember(): AsyncGenerator<Buffer> {
    const inflate = createInflateRaw({ finishFlush });
    const fed = this.#feed(inflate);
    fed.catch(() => {});
    yield* inflate as AsyncIterable<Buffer>;
    await fed;
  }

  /**
   * Writes chunks of the source to a decoder until its gzip member ends. Writes one chunk at a time: a
   * decoder accepts any number of bytes after its member's end, so the whole source could accumulate in
   * memory.
   * @throws the error of the source, after all text that precedes the error
   */
  async #feed(inflate: InflateRaw): Promise<void> {
    const write = promisify(
      inflate.write.bind(inflate) as (chunk: Buffer, done: (error?: Error | null) => void) => boolean,
    );
    try {
      while (await this.#fill(1)) {
        const chunk = this.#rest.subarray(0, MAX_WRITE_BYTES);
        const before = inflate.bytesWritten;
        await write(chunk);
        const usedBytes = inflate.bytesWritten - before;
        this.#rest = this.#rest.subarray(usedBytes);
        if (usedBytes < chunk.length) return;
      }
    } finally {
      inflate.end();
    }
  }

  /** Yields all bytes of the compressed source that were not used yet. */
  async *readRest(): AsyncGenerator<Buffer> {
    while (await this.#fill(1)) {
      const chunk = this.#rest;
      this.#rest = Buffer.alloc(0);
      yield chunk;
    }
  }

  /**
   * Reads from the source until at least `count` bytes are available. Returns false if the source ends
   * before.
   */
  async #fill(count: number): Promise<boolean> {
    if (this.#rest.length >= count) return true;
    const chunks: Buffer[] = [this.#rest];
    let length = this.#rest.length;
    while (length < count) {
      const next = await this.#chunks.next();
      if (next.done) break;
      chunks.push(next.value);
      length += next.value.length;
    }
    if (chunks.length > 1) this.#rest = Buffer.concat(chunks);
    return length >= count;
  }
}

/** Returns the length of a gzip header in bytes; null if the header is incomplete. */
function measureHeader(bytes: Buffer): number | null {
  if (bytes.length < FIXED_HEADER_BYTES) return null;
  const flags = bytes[3]!;
  let end = FIXED_HEADER_BYTES;
  if (flags & FLAG.extra) {
    if (bytes.length < end + 2) return null;
    end += 2 + bytes.readUInt16LE(end);
  }
  for (const text of [FLAG.name, FLAG.comment]) {
    if (!(flags & text)) continue;
    const zero = bytes.indexOf(0, end);
    if (zero === -1) return null;
    end = zero + 1;
  }
  return flags & FLAG.checksum ? end + 2 : end;
}
