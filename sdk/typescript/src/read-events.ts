import { createEventParser, type RawEvent } from './event-parser.ts';

/**
 * Reads the events of a `text/event-stream`.
 * @param onData called whenever bytes arrive; comments keep a stream alive
 * @throws the reason of the signal
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { onData, signal }: { onData: () => void; signal: AbortSignal },
): AsyncGenerator<RawEvent> {
  const reader = body.getReader();
  // Some implementations of `fetch` ignore the signal while the body is read.
  const cancelReader = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancelReader);
  const decoder = new TextDecoder();
  const parse = createEventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      onData();
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    signal.removeEventListener('abort', cancelReader);
    cancelReader();
  }
}
