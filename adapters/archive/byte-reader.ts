/** Reads a stream in portions of the requested length. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Reads exactly `count` bytes, or fewer if the stream ends first. */
  async read(count: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const piece of this.readInChunks(count)) chunks.push(piece);
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  }

  /** Yields the next `count` bytes, in chunks of the sizes in which they arrive. */
  async *readInChunks(count: number): AsyncGenerator<Buffer, void, undefined> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#readChunk())) return;
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** Yields all remaining bytes, in chunks of the sizes in which they arrive. */
  readRest(): AsyncGenerator<Buffer, void, undefined> {
    return this.readInChunks(Infinity);
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #readChunk(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done) return false;
    this.#rest = value as Buffer<ArrayBuffer>;
    return true;
  }
}
