export interface RawEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/**
 * The events of a `text/event-stream`, as the HTML standard has it.
 * @param heard told whenever anything comes: comments keep a stream alive
 * @throws the reason of the signal
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { heard, signal }: { heard: () => void; signal: AbortSignal },
): AsyncGenerator<RawEvent> {
  const reader = body.getReader();
  // Not every `fetch` minds its signal once the answer has begun.
  const leave = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', leave);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      heard();
      rest += decoder.decode(value, { stream: true });
      // A line may end by CR LF, of which the second half is yet to come.
      const blocks = rest.split(/\r\n\r\n|\n\n|\r\r(?!$)/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
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
