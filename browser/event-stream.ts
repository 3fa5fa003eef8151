export interface StreamEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/**
 * The events of a `text/event-stream`, as the HTML standard has it; comments only keep it alive.
 * @param heard told whenever anything comes
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffered = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      buffered += decoder.decode(value, { stream: true });
      const blocks = buffered.split(/\r?\n\r?\n/);
      buffered = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    // The stream may be broken already, and then there is nothing to cancel.
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
