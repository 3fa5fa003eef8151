import { PassThrough } from 'node:stream';
import type { Logger } from '../../core/logger.ts';
import type { ServerSentEvent } from './operation.ts';
import type { Renderer } from './render.ts';

export const EVENT_STREAM = 'text/event-stream';

const HEARTBEAT_MS = 15_000;

/** @param data the event's as JSON */
export function encodeEvent({ id, event }: Omit<ServerSentEvent, 'data'>, data: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/**
 * The bytes of a server-sent event stream, with a comment at once so that the caller sees it open, and every 15 s so
 * that proxies keep it so.
 */
export function eventStream(
  events: AsyncIterable<ServerSentEvent>,
  render: Renderer<ServerSentEvent>,
  signal: AbortSignal,
  log: Logger,
): PassThrough {
  const stream = new PassThrough();
  stream.write(': open\n\n');
  const heartbeat = setInterval(() => stream.write(': keep-alive\n\n'), HEARTBEAT_MS);
  const pump = async (): Promise<void> => {
    try {
      for await (const event of events) {
        if (signal.aborted || stream.destroyed) break;
        if (!stream.write(encodeEvent(event, render(event)))) await drained(stream);
      }
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'an event stream broke');
    } finally {
      clearInterval(heartbeat);
      stream.end();
    }
  };
  stream.once('close', () => clearInterval(heartbeat));
  void pump();
  return stream;
}

function drained(stream: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    stream.once('drain', resolve);
    stream.once('close', resolve);
  });
}
