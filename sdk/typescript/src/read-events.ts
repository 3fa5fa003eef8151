export interface RawEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/**
 * Reads the events of a `text/event-stream` according to the HTML standard.
 * @param heard called whenever bytes arrive; comments keep a stream alive
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
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      onData();
      rest += decoder.decode(value, { stream: true });
      // The last CR may be the first half of a CR LF.
      const blocks = rest.split(/\r\n\r\n|\n\n|\r\r(?!$)/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    signal.removeEventListener('abort', cancelReader);
    cancelReader();
  }
}

function parseEvent(block: string): RawEvent | null {
  const data: string[] = [];
  let event = 'message';
  let id: string | undefined;
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^([^:]+)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id') id = value;
  }
  return data.length === 0 ? null : { id, event, data: data.join('\n') };
}
