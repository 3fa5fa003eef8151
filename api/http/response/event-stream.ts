import type { ServerResponse } from 'node:http';
import { AppError } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { ServerSentEvent } from '../operation.ts';
import type { Renderer } from './render.ts';
import type { RequestBasics } from '../request-basics.ts';

export const EVENT_STREAM = 'text/event-stream';

/**
 * Number of heartbeats without sent bytes after which the server assumes that the client has disconnected.
 */
const MAX_UNREAD_HEARTBEATS = 2;
/**
 * Fraction of the maximum duration by which streams randomly end earlier, so that clients do not all
 * reconnect at once.
 */
const MAX_EARLY_END_SHARE = 0.1;

/**
 * Headers of a response that streams events. Proxies that compress responses hold back short events;
 * `no-transform` stops this, and `X-Accel-Buffering` stops nginx from buffering.
 */
export const STREAM_HEADERS = {
  'Content-Type': `${EVENT_STREAM}; charset=utf-8`,
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * First bytes of an event stream. Proxies that decide whether to compress or to buffer wait for 1 or 2 KB.
 */
const OPENING = `: open${' '.repeat(2048)}\n\n`;

export interface EventStreamOptions {
  settings: Pick<Settings, 'streamHeartbeatMs' | 'streamMaxMs'>;
  /** Data of the request, whose logger reports an error in the stream. */
  basics: Pick<RequestBasics, 'log'>;
}

/**
 * Encodes a server-sent event.
 * @param data data of the event as JSON
 */
export function encodeEvent({ id, event }: Omit<ServerSentEvent, 'data'>, data: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/**
 * Sends a stream of server-sent events, with heartbeat comments that keep proxies from closing the stream.
 * The stream ends after its last event, or after the maximum duration. Clients then reconnect with
 * `Last-Event-ID`.
 */
export function sendEventStream(
  response: ServerResponse,
  events: AsyncIterable<ServerSentEvent>,
  render: Renderer<ServerSentEvent>,
  { settings, basics }: EventStreamOptions,
): void {
  const stopHeartbeat = startHeartbeat(response, settings.streamHeartbeatMs);
  const maxDuration = setTimeout(
    () => response.end(': open the stream again, with Last-Event-ID\n\n'),
    settings.streamMaxMs * (1 - MAX_EARLY_END_SHARE * Math.random()),
  );
  const stopTimers = () => {
    stopHeartbeat();
    clearTimeout(maxDuration);
  };
  const pump = async (): Promise<void> => {
    try {
      for await (const event of events) {
        if (!isOpen(response)) break;
        if (!response.write(encodeEvent(event, render(event)))) await waitForDrain(response);
      }
    } catch (error) {
      // A refused event stream is only logged as info: a client that reconnects gets the refusal again.
      const level = error instanceof AppError ? 'info' : 'error';
      if (!response.destroyed) basics.log[level]({ err: error }, 'event stream failed');
    } finally {
      stopTimers();
      if (isOpen(response)) response.end();
    }
  };
  response.once('close', stopTimers);
  if (isOpen(response)) {
    // Corks the socket, so that the first events are sent in one packet with the headers. Corking the
    // response instead would reorder chunks in Node 24.
    const { socket } = response;
    socket?.cork();
    process.nextTick(() => socket?.uncork());
    response.write(OPENING);
  }
  void pump();
}

function isOpen({ destroyed, writableEnded }: ServerResponse): boolean {
  return !destroyed && !writableEnded;
}

/**
 * Sends a heartbeat comment to an event stream at regular intervals, and closes streams whose client does not
 * read. Returns a function that stops the heartbeat.
 */
function startHeartbeat(response: ServerResponse, everyMs: number): () => void {
  let unread = 0;
  let previousSentBytes = 0;
  const timer = setInterval(() => {
    const sentBytes = countSentBytes(response);
    const isStuck = response.writableLength > 0 && sentBytes === previousSentBytes;
    previousSentBytes = sentBytes;
    unread = isStuck ? unread + 1 : 0;
    if (unread > MAX_UNREAD_HEARTBEATS) response.destroy();
    else if (isOpen(response)) response.write(': keep-alive\n\n');
  }, everyMs);
  return () => clearInterval(timer);
}

/** Returns the number of bytes that were sent on the connection of a response. */
function countSentBytes({ socket }: ServerResponse): number {
  return socket ? socket.bytesWritten - socket.writableLength : 0;
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const stopWaiting = () => {
      response.off('drain', stopWaiting).off('close', stopWaiting);
      resolve();
    };
    response.on('drain', stopWaiting).on('close', stopWaiting);
  });
}
