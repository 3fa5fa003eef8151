export interface ReceivedEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/** The events of a server-sent event stream that has begun. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<ReceivedEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffered = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      buffered += decoder.decode(value, { stream: true });
      const end = buffered.lastIndexOf('\n\n');
      if (end === -1) continue;
      const blocks = buffered.slice(0, end).split('\n\n');
      buffered = buffered.slice(end + 2);
      for (const block of blocks) if (!block.startsWith(':')) yield parseEvent(block);
    }
  } finally {
    // The stream may be broken already, and then there is nothing to cancel.
    reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): ReceivedEvent {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return {
    id: fields.get('id'),
    event: fields.get('event') ?? 'message',
    data: fields.get('data') ?? 'null',
  };
}
