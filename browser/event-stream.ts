export interface StreamEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/**
 * Parses a `text/event-stream` response and yields its events.
 * @param onChunk called whenever data arrives, including comments, which only show that the connection is
 * alive
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffered = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      buffered += decoder.decode(value, { stream: true });
      const blocks = buffered.split(/\r?\n\r?\n/);
      buffered = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    // Ignore errors: cancelling a stream that has already failed rejects.
    reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): StreamEvent | null {
  const data: string[] = [];
  let event = 'message';
  let id: string | undefined;
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]+)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id') id = value;
  }
  return data.length === 0 ? null : { id, event, data: data.join('\n') };
}
