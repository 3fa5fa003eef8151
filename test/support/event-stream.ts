export interface ReceivedEvent {
  id: string | undefined;
  event: string;
  data: any;
}

/** The events of a stream, all of them or the first `limit`. */
export async function readEvents(response: Response, limit = Infinity): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  let buffered = '';
  for await (const bytes of response.body!) {
    buffered += Buffer.from(bytes).toString('utf8');
    const blocks = buffered.split('\n\n');
    buffered = blocks.pop()!;
    events.push(...blocks.filter((block) => !block.startsWith(':')).map(parseEvent));
    if (events.length >= limit) break;
  }
  return events.slice(0, limit);
}

function parseEvent(block: string): ReceivedEvent {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return {
    id: fields['id'],
    event: fields['event'] ?? 'message',
    data: JSON.parse(fields['data'] ?? 'null'),
  };
}
