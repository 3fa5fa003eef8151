import { TOO_MUCH_MEMORY, UnreadableDocument } from '../unreadable-document.ts';

/** Limit for inflating the streams of the PDF that is being read. A thread reads one document at a time. */
let current: { maxBytes: number; onExceeded: () => void } | undefined;

const InflatingStream = globalThis.DecompressionStream;

/**
 * Inflates a stream of a PDF up to the limit. Beyond the limit, it neither continues nor fails: pdf.js would inflate a
 * failed stream again, in JavaScript.
 */
class BoundedDecompressionStream extends InflatingStream {
  readonly #bounded: ReadableStream<Uint8Array>;

  constructor(format: ConstructorParameters<typeof InflatingStream>[0]) {
    super(format);
    const limit = current;
    let leftBytes = limit?.maxBytes ?? Infinity;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        leftBytes -= chunk.byteLength;
        if (leftBytes >= 0) return controller.enqueue(chunk);
        limit?.onExceeded();
        return new Promise(() => {});
      },
    });
    this.#bounded = super.readable.pipeThrough(counter);
  }

  override get readable(): ReadableStream<Uint8Array> {
    return this.#bounded;
  }
}

/**
 * Reads a PDF, and limits the size to which each of its streams inflates. pdf.js collects the inflated bytes outside
 * V8's heap and then copies them. A PDF of 1 MB can inflate to 1 GB within a second.
 * @throws UnreadableDocument `out_of_memory` if a stream exceeds the limit. The reading does not end, so its thread
 *   must be stopped.
 */
export async function readWithBoundedInflation<T>(maxBytes: number, read: () => Promise<T>): Promise<T> {
  globalThis.DecompressionStream = BoundedDecompressionStream;
  const previous = current;
  try {
    return await new Promise((resolve, reject) => {
      current = {
        maxBytes,
        onExceeded: () => reject(new UnreadableDocument('out_of_memory', TOO_MUCH_MEMORY)),
      };
      read().then(resolve, reject);
    });
  } finally {
    current = previous;
  }
}
