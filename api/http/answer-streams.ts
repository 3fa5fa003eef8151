import type { JsonAnswer } from './idempotency.ts';
import { replyWith, type Reply, type ServerSentEvent } from './operation.ts';
import { isReply } from './respond.ts';

export const EVENT_STREAM = 'text/event-stream';

type StreamReply = Extract<Reply, { kind: 'stream' }>;

export function isStream(answer: JsonAnswer | Reply): answer is StreamReply {
  return isReply(answer) && answer.kind === 'stream';
}

/** A kept answer as the one event that said the whole. */
export function streamOf({ body }: JsonAnswer): Reply {
  async function* only(): AsyncGenerator<ServerSentEvent> {
    yield JSON.parse(body) as ServerSentEvent;
  }
  return replyWith.stream(only());
}

/** The same stream; `keep` gets its last event, which says the whole, when it has been read to its end. */
export function keepingLast({ events }: StreamReply, keep: (last: ServerSentEvent) => Promise<void>): Reply {
  async function* kept(): AsyncGenerator<ServerSentEvent> {
    let last: ServerSentEvent | undefined;
    for await (const event of events) {
      yield event;
      last = event;
    }
    if (last) await keep(last);
  }
  return replyWith.stream(kept());
}
