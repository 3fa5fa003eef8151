import { createEventParser, type RawEvent } from '../sdk/typescript/src/event-parser.ts';

/**
 * Parses a `text/event-stream` response and yields its events.
 * @param onChunk callback whenever data arrives, including comments, which only show that the connection is
 *   alive
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<RawEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parse = createEventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Ignore errors: canceling a stream that has already failed rejects.
    reader.cancel().catch(() => undefined);
  }
}
