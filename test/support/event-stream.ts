import assert from 'node:assert/strict';
import type { LooseJson } from './loose-json.ts';
import type { ApiClient } from './parley.ts';

export interface ReceivedEvent {
  id: string | undefined;
  event: string;
  data: LooseJson;
}

/** Reads the first `limit` events of a response stream, by default all. */
export async function readEvents(
  response: Response,
  limit = Infinity,
  onEvent?: (event: ReceivedEvent) => void,
): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const event of parseEventStream(response)) {
    events.push(event);
    onEvent?.(event);
    if (events.length >= limit) break;
  }
  return events;
}

/** An open event stream of the API. */
export interface OpenEventStream {
  next(): Promise<ReceivedEvent>;
  /** Resolves when the server ends the event stream; ignores the remaining events. */
  waitUntilClosed(): Promise<void>;
  close(): void;
}

export async function openEventStream(
  client: ApiClient,
  path: string,
  lastEventId?: string,
): Promise<OpenEventStream> {
  const leaving = new AbortController();
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const response = await client.fetch(path, { headers, signal: leaving.signal });
  assert.equal(response.status, 200);
  const events = parseEventStream(response);
  return {
    next: async () => {
      const { value } = await events.next();
      assert.ok(value, 'the stream has ended');
      return value;
    },
    waitUntilClosed: async () => {
      while (!(await events.next()).done);
    },
    close: () => leaving.abort(),
  };
}

async function* parseEventStream(response: Response): AsyncGenerator<ReceivedEvent, undefined> {
  let buffered = '';
  for await (const bytes of response.body!) {
    buffered += Buffer.from(bytes).toString('utf8');
    const blocks = buffered.split('\n\n');
    buffered = blocks.pop()!;
    yield* blocks.filter((block) => !block.startsWith(':')).map(parseEvent);
  }
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
