import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/**
 * Returns the first `size` bytes of a stream (fewer if it is shorter), and a new stream of the whole content.
 */
export async function readHead(stream: Readable, size: number): Promise<{ head: Buffer; content: Readable }> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  const headChunks: Buffer[] = [];
  let readBytes = 0;
  while (readBytes < size) {
    const next = await chunks.next();
    if (next.done) break;
    headChunks.push(next.value);
    readBytes += next.value.length;
  }
  const head = Buffer.concat(headChunks);
  return { head: head.subarray(0, size), content: Readable.from(prepend(head, chunks)) };
}

async function* prepend(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** Reads a stream to its end and discards the content and any error. */
export async function drain(stream: Readable): Promise<void> {
  await finished(stream.resume()).catch(() => undefined);
}
