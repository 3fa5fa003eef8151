import type { JsonResponse } from '../idempotency.ts';
import { replyWith, type Reply, type ServerSentEvent } from '../operation.ts';
import { isReply } from './respond.ts';

type StreamReply = Extract<Reply, { kind: 'stream' }>;

export function isStream(response: JsonResponse | Reply): response is StreamReply {
  return isReply(response) && response.kind === 'stream';
}

/**
 * Replays a stored response of a streaming operation, as a stream of its last event, which contains the
 * complete result.
 */
export function replayAsStream({ body }: JsonResponse): Reply {
  async function* streamOneEvent(): AsyncGenerator<ServerSentEvent> {
    yield JSON.parse(body) as ServerSentEvent;
  }
  return replyWith.stream(streamOneEvent());
}

/**
 * Wraps an event stream. When it ends, calls `onEnd` with its last event, which contains the complete result.
 * Calls `onEnd` with nothing if the stream was not read to its end.
 */
export function captureLastEvent(
  { events }: StreamReply,
  onEnd: (last: ServerSentEvent | undefined) => Promise<void>,
): Reply {
  async function* captureEvents(): AsyncGenerator<ServerSentEvent> {
    let latest: ServerSentEvent | undefined;
    let last: ServerSentEvent | undefined;
    try {
      for await (const event of events) {
        yield event;
        latest = event;
      }
      last = latest;
    } finally {
      await onEnd(last);
    }
  }
  return replyWith.stream(captureEvents());
}
