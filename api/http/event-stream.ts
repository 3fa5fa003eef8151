import { PassThrough, type TransformCallback } from 'node:stream';
import type { Logger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings.ts';
import type { ServerSentEvent } from './operation.ts';
import type { Renderer } from './render.ts';

export const EVENT_STREAM = 'text/event-stream';

/** A reader who has left something, and taken nothing, between so many heartbeats is gone. */
const MOST_UNREAD_HEARTBEATS = 2;
/** Streams that began together end apart by up to this share of the longest time, and are opened again apart. */
const SPREAD = 0.1;

export interface EventStreamOptions {
  settings: Pick<Settings, 'streamHeartbeatMs' | 'streamLongestMs'>;
  signal: AbortSignal;
  log: Logger;
  /** Closes the connection of a reader who has stopped reading. */
  cutOff: () => void;
}

/** @param data the event's as JSON */
export function encodeEvent({ id, event }: Omit<ServerSentEvent, 'data'>, data: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/**
 * The bytes of a server-sent event stream, with a comment at once so that the caller sees it open, and others in between
 * so that proxies keep it so. It ends with its events, or after the longest time, when its reader opens another one with
 * `Last-Event-ID`.
 */
export function eventStream(
  events: AsyncIterable<ServerSentEvent>,
  render: Renderer<ServerSentEvent>,
  { settings, signal, log, cutOff }: EventStreamOptions,
): PassThrough {
  const stream = new CountedStream();
  stream.write(': open\n\n');
  const stopHeartbeat = startHeartbeat(stream, settings.streamHeartbeatMs, cutOff);
  const longest = setTimeout(
    () => stream.end(': open the stream again, with Last-Event-ID\n\n'),
    settings.streamLongestMs * (1 - SPREAD * Math.random()),
  );
  const stop = () => {
    stopHeartbeat();
    clearTimeout(longest);
  };
  const pump = async (): Promise<void> => {
    try {
      for await (const event of events) {
        if (signal.aborted || stream.destroyed || stream.writableEnded) break;
        if (!stream.write(encodeEvent(event, render(event)))) await drained(stream);
      }
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'an event stream broke');
    } finally {
      stop();
      stream.end();
    }
  };
  stream.once('close', stop);
  void pump();
  return stream;
}

/** Knows how much its reader has taken. */
class CountedStream extends PassThrough {
  #passedBytes = 0;

  override _transform(chunk: Buffer, encoding: BufferEncoding, callback: TransformCallback): void {
    this.#passedBytes += chunk.length;
    super._transform(chunk, encoding, callback);
  }

  get takenBytes(): number {
    return this.#passedBytes - this.readableLength;
  }
}

/** Answers how to stop it. */
function startHeartbeat(stream: CountedStream, everyMs: number, cutOff: () => void): () => void {
  let unread = 0;
  let takenBefore = 0;
  const timer = setInterval(() => {
    const isStuck = stream.readableLength > 0 && stream.takenBytes === takenBefore;
    takenBefore = stream.takenBytes;
    unread = isStuck ? unread + 1 : 0;
    if (unread > MOST_UNREAD_HEARTBEATS) cutOff();
    else if (!stream.writableEnded) stream.write(': keep-alive\n\n');
  }, everyMs);
  return () => clearInterval(timer);
}

function drained(stream: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
