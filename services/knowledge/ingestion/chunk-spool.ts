import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { openUnnamedFile } from '../../../core/knowledge/unnamed-file.ts';
import type { SearchableChunk } from './extraction-protocol.ts';

/**
 * Maximum number of characters of each document's chunks that stay in memory. Further chunks go to a
 * temporary file.
 */
const MAX_MEMORY_CHARACTERS = 2 * 1024 * 1024;

/** Position of a batch of chunks in the temporary file, in bytes. */
interface Part {
  from: number;
  length: number;
}

/**
 * Buffers the chunks of one document until they are written to the database. Most chunks of a large document
 * are in a temporary file.
 */
export class ChunkSpool implements AsyncIterable<SearchableChunk[]> {
  readonly #inMemory: SearchableChunk[][] = [];
  readonly #parts: Part[] = [];
  readonly #sections = new Set<string>();
  readonly #digest = createHash('sha256');
  #characters = 0;
  #length = 0;
  #file: FileHandle | undefined;

  get sectionCount(): number {
    return this.#sections.size;
  }

  /** Returns the SHA-256 digest of the text of all the document's chunks; call it after the last `add`. */
  textSha256(): string {
    return this.#digest.copy().digest('hex');
  }

  async add(batch: SearchableChunk[]): Promise<void> {
    for (const { headings, text, searchText } of batch) {
      this.#sections.add(headings.join('\n'));
      this.#digest.update(JSON.stringify([headings, text]));
      this.#characters += text.length + searchText.length;
    }
    if (this.#characters <= MAX_MEMORY_CHARACTERS) return void this.#inMemory.push(batch);
    this.#file ??= await openUnnamedFile();
    const bytes = Buffer.from(JSON.stringify(batch));
    await this.#file.write(bytes, 0, bytes.length, this.#length);
    this.#parts.push({ from: this.#length, length: bytes.length });
    this.#length += bytes.length;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SearchableChunk[]> {
    yield* this.#inMemory;
    for (const { from, length } of this.#parts) {
      const bytes = Buffer.alloc(length);
      await this.#file?.read(bytes, 0, length, from);
      yield JSON.parse(bytes.toString()) as SearchableChunk[];
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}
