import type { WithResponse } from './api-promise.ts';
import type { CallSite } from './call-site.ts';
import type { Deadline, TimeLimit } from './deadline.ts';
import { ConnectionError, ParleyError, StreamInterruptedError } from './errors.ts';
import type { RawEvent } from './event-parser.ts';
import { readEvents } from './read-events.ts';
import { refuseSyncIteration } from './refuse-sync-iteration.ts';
import { pause, pauseMs } from './retries.ts';
import type { StreamEventOf } from './stream-event.ts';

/** How a broken event stream is resumed: after the last event, from the beginning, or not at all. */
export type Resume = 'lastEventId' | 'again' | 'never';

export interface OpenStream {
  response: Response;
  deadline: Deadline;
}

export interface StreamRules {
  resume: Resume;
  /** Names of the events that end the stream. */
  lastEvents: readonly string[];
  /** The SDK call that requested the stream, for the stacks of errors. */
  site: CallSite;
  maxRetries: number;
  /** Called before the pause that precedes a new connection of the stream. */
  onRetry: ((error: Error, pauseMs: number) => void) | undefined;
  silence: TimeLimit;
  signal: AbortSignal | undefined;
  open(lastEventId: string | undefined, signal: AbortSignal): Promise<OpenStream>;
}

/**
 * Milliseconds after which a connection counts as stable, so that its next failure counts as the first
 * failure.
 */
const STABLE_MS = 15_000;

/**
 * Reads the events of a stream. Reopens a broken connection if reopening neither repeats nor loses events.
 */
export class EventStream<E extends StreamEventOf<string, unknown>> implements AsyncIterable<E> {
  readonly #rules: StreamRules;
  readonly #controller = new AbortController();
  readonly #abort = (): void => this.#controller.abort(this.#rules.signal?.reason);
  #first: Promise<OpenStream> | undefined;
  #isConsumed = false;
  #isClosed = false;
  #lastEventId: string | undefined;

  constructor(rules: StreamRules) {
    this.#rules = rules;
  }

  /**
   * Opens the stream at once, before its first event is read.
   * @returns the stream with its response
   */
  async withResponse(): Promise<WithResponse<this>> {
    this.#first ??= this.#open();
    const { response } = await this.#first;
    return { data: this, response, requestId: response.headers.get('x-request-id') };
  }

  /** Closes the event stream. The server continues to generate an answer. */
  close(): void {
    this.#isConsumed = true;
    this.#isClosed = true;
    this.#rules.signal?.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<E, void, undefined> {
    if (this.#isConsumed) throw new ParleyError('The stream was already read, or is closed.');
    this.#isConsumed = true;
    try {
      yield* this.#readAll();
    } catch (error) {
      this.#rules.site.addTo(error);
      if (!this.#isClosed) throw error;
    } finally {
      this.#rules.signal?.removeEventListener('abort', this.#abort);
    }
  }

  async *#readAll(): AsyncGenerator<E, void, undefined> {
    const { resume, maxRetries, onRetry } = this.#rules;
    for (let failures = 0; ; failures += 1) {
      const before = this.#lastEventId;
      const openedAt = Date.now();
      const { isComplete, error } = yield* this.#readOnce();
      if (isComplete) return;
      if (this.#lastEventId !== before || Date.now() - openedAt > STABLE_MS) failures = 0;
      const interruption = new StreamInterruptedError(describeInterruption(error, resume), { cause: error });
      if (resume === 'never' || failures >= maxRetries) throw interruption;
      const ms = pauseMs(failures, error);
      onRetry?.(interruption, ms);
      await pause(ms, this.#controller.signal);
    }
  }

  /**
   * Yields the stream's events until the connection ends.
   * @returns true if the stream is complete; the error that ended the stream if not
   */
  async *#readOnce(): AsyncGenerator<E, { isComplete: boolean; error?: unknown }, undefined> {
    const { lastEvents, silence } = this.#rules;
    const { response, deadline } = await (this.#first ?? this.#open());
    this.#first = undefined;
    let event = '';
    try {
      for await (const raw of openEvents(response, deadline, silence)) {
        // An empty event id resets the stream's position, by the HTML standard.
        if (raw.id !== undefined) this.#lastEventId = raw.id || undefined;
        event = raw.event;
        // The timeout for silence must not count the time that the caller's code takes for an event.
        deadline.suspend();
        yield { event, id: raw.id ?? null, data: JSON.parse(raw.data) as unknown } as E;
        if (lastEvents.includes(event)) return { isComplete: true };
        deadline.extend(silence);
      }
      // An event with the name `error` is final: a new connection would repeat the error.
      return { isComplete: event === 'error' };
    } catch (thrown) {
      const error = deadline.explain(thrown);
      if (!(error instanceof ConnectionError)) throw error;
      return { isComplete: false, error };
    } finally {
      deadline.stop();
    }
  }

  async #open(): Promise<OpenStream> {
    const { signal, open } = this.#rules;
    if (signal?.aborted) this.#abort();
    signal?.addEventListener('abort', this.#abort);
    return open(this.#lastEventId, this.#controller.signal);
  }
}

refuseSyncIteration(EventStream, 'Events arrive over time: use `for await (const event of stream)`.');

function describeInterruption(error: unknown, resume: Resume): string {
  const reason = error instanceof Error ? ` ${error.message}` : '';
  const advice = resume === 'never' ? ' The stream cannot be resumed: call the method again.' : '';
  return `The stream was interrupted.${reason}${advice}`;
}

function openEvents({ body }: Response, deadline: Deadline, silence: TimeLimit): AsyncIterable<RawEvent> {
  if (!body) throw new ConnectionError('The response has no body.');
  const onData = (): void => deadline.extend(silence);
  onData();
  return readEvents(body, { onData, signal: deadline.signal });
}
