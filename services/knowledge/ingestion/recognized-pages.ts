import { LRUCache } from 'lru-cache';
import type { PagePicture, RecognizedLine } from '../../../adapters/recognition/text-recognizer.ts';
import { computeShortDigest } from '../../../core/short-digest.ts';

/**
 * Limits of the cache of recognized pages: characters of all pages, and lifetime of a page in milliseconds.
 */
const CACHED_PAGES = { maxSize: 8_000_000, ttl: 60 * 60_000 };
/** Memory that a recognized line takes besides its text, expressed as a number of characters. */
const LINE_SIZE = 100;

/**
 * Caches the text of scanned pages while their document is being read. A recognition that lost its slot
 * continues with the next page, rather than with the first.
 */
export class RecognizedPages {
  readonly #lines = new LRUCache<string, RecognizedLine[]>({
    ...CACHED_PAGES,
    sizeCalculation: (lines) => lines.reduce((size, { text }) => size + text.length + LINE_SIZE, LINE_SIZE),
  });

  /** Returns the text lines of a scanned page. Calls `recognize` if this page was not recognized before. */
  async read(
    documentId: string,
    { width, height, pixels }: PagePicture,
    languages: readonly string[],
    recognize: () => Promise<RecognizedLine[]>,
  ): Promise<RecognizedLine[]> {
    const key = [documentId, width, height, languages, computeShortDigest(pixels)].join(' ');
    const known = this.#lines.get(key);
    if (known) return known;
    const lines = await recognize();
    this.#lines.set(key, lines);
    return lines;
  }

  /** Removes the cached pages of a document whose reading has ended. */
  forget(documentId: string): void {
    for (const key of this.#lines.keys()) if (key.startsWith(`${documentId} `)) this.#lines.delete(key);
  }
}
