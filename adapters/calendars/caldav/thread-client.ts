import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../core/concurrency/start-thread.ts';
import { measureCpuTime } from '../../../core/concurrency/thread-cpu-time.ts';
import { CalendarUnavailable } from '../calendar-provider.ts';
import { sendToProvider, type ProviderHttp, type ProviderRequest } from '../provider-http.ts';
import type { DavReply } from './dav-http.ts';
import {
  toFailure,
  unwrapOutcome,
  type CalDavTask,
  type FromThread,
  type Outcome,
  type ToThread,
} from './thread-protocol.ts';

/**
 * Heap limit of the CalDAV thread in megabytes. The heap has one parsed event per call; the bytes of
 * responses (up to 8 MB) are outside the heap.
 */
const HEAP_MEGABYTES = 256;
const YOUNG_MEGABYTES = 8;
/**
 * Time in milliseconds after which an idle CalDAV thread ends. Starting a new thread takes a tenth of a
 * second.
 */
const IDLE_MS = 60_000;
const PING_MS = 1000;
/**
 * CPU time in milliseconds after which a CalDAV thread that does not respond counts as stuck: ten times the
 * limit of one event.
 */
const STUCK_MS = 5000;
/** Response headers of a calendar server that are passed to the CalDAV thread. */
const HEADERS = ['content-type', 'etag', 'location', 'retry-after'];

interface Call {
  http: ProviderHttp;
  signal: AbortSignal | undefined;
  settle(outcome: Outcome<unknown>): void;
}

let current: CalDavThread | undefined;

/**
 * Runs a task in the CalDAV thread of this process, so that parsing calendars never blocks the event loop.
 * @throws CalendarReconnect
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
export async function runInCalDavThread(
  task: CalDavTask,
  http: ProviderHttp,
  signal?: AbortSignal,
): Promise<unknown> {
  if (signal?.aborted) throw createTimeoutError();
  current ??= new CalDavThread(() => (current = undefined));
  return current.call(task, { http, signal });
}

class CalDavThread {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  readonly #calls = new Map<number, Call>();
  #lastCallId = 0;
  #isOver = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #pingTimer: NodeJS.Timeout | undefined;
  #cpuTimeMs: (() => number) | undefined;
  /**
   * CPU time of the CalDAV thread in milliseconds when the last unanswered ping was sent; undefined if no
   * ping is unanswered.
   */
  #pingedAtMs: number | undefined;

  /** @param onEnd callback once the thread accepts no more calls */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#worker = startThread('./caldav-thread', import.meta.url, {
      resourceLimits: {
        maxOldGenerationSizeMb: HEAP_MEGABYTES,
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
      },
    });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', () => this.#endCalls());
    this.#worker.on('exit', () => this.#endCalls());
  }

  async call(task: CalDavTask, { http, signal }: Omit<Call, 'settle'>): Promise<unknown> {
    const callId = ++this.#lastCallId;
    const onAbort = (): void => {
      this.#postToThread({ kind: 'abort', callId });
      this.#settleCall(callId, { failure: toFailure(createTimeoutError()) });
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const outcome = await new Promise<Outcome<unknown>>((settle) => {
        this.#calls.set(callId, { http, signal, settle });
        this.#stopIdleTimer();
        this.#postToThread({ kind: 'call', callId, task });
      });
      return unwrapOutcome(outcome);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #receive(message: FromThread): void {
    if (message.kind === 'request')
      void this.#forwardRequest(message.callId, message.request).then((outcome) =>
        this.#postToThread(
          { kind: 'reply', requestId: message.requestId, outcome },
          listTransferredBodies(outcome),
        ),
      );
    else if (message.kind === 'settled') this.#settleCall(message.callId, message.outcome);
    else if (message.kind === 'pong') this.#pingedAtMs = undefined;
    else this.#cpuTimeMs = measureCpuTime(this.#worker, message.statPath);
  }

  async #forwardRequest(callId: number, request: ProviderRequest): Promise<Outcome<DavReply>> {
    const call = this.#calls.get(callId);
    if (!call) return { failure: toFailure(createTimeoutError()) };
    try {
      const { status, headers, body } = await sendToProvider(call.http, { ...request, signal: call.signal });
      const headerEntries = HEADERS.flatMap((name) =>
        headers[name] === undefined ? [] : [[name, headers[name]]],
      );
      return {
        value: { status, headers: Object.fromEntries(headerEntries), body: toTransferableBytes(body) },
      };
    } catch (error) {
      return { failure: toFailure(error) };
    }
  }

  #settleCall(callId: number, outcome: Outcome<unknown>): void {
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    if (this.#calls.size === 0) this.#startIdleTimer();
    call?.settle(outcome);
  }

  #stopIdleTimer(): void {
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    this.#pingTimer ??= setInterval(() => this.#ping(), PING_MS).unref();
  }

  #startIdleTimer(): void {
    clearInterval(this.#pingTimer);
    this.#pingTimer = undefined;
    this.#pingedAtMs = undefined;
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => this.#stopThread(), IDLE_MS).unref();
  }

  /**
   * Pings the CalDAV thread, and terminates it if it computes endlessly. Its calls then fail; the next call
   * starts another thread.
   */
  #ping(): void {
    if (!this.#cpuTimeMs) return;
    const usedMs = this.#cpuTimeMs();
    if (this.#pingedAtMs === undefined) {
      this.#pingedAtMs = usedMs;
      this.#postToThread({ kind: 'ping' });
    } else if (usedMs - this.#pingedAtMs > STUCK_MS) this.#stopThread();
  }

  #stopThread(): void {
    this.#endCalls();
    void this.#worker.terminate();
  }

  #endCalls(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#idleTimer);
    clearInterval(this.#pingTimer);
    this.#onEnd();
    const failure = toFailure(new CalendarUnavailable('The calendar could not be read.'));
    for (const { settle } of this.#calls.values()) settle({ failure });
    this.#calls.clear();
  }

  #postToThread(message: ToThread, transferred: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transferred);
  }
}

/**
 * Returns the bytes of a response in memory that can be transferred to the CalDAV thread. Copies small
 * buffers, since Node shares one memory block among several of them.
 */
function toTransferableBytes(body: Buffer): Uint8Array {
  const fillsBuffer = body.byteLength === body.buffer.byteLength;
  return fillsBuffer ? new Uint8Array(body.buffer as ArrayBuffer) : new Uint8Array(body);
}

function listTransferredBodies(outcome: Outcome<DavReply>): ArrayBuffer[] {
  return 'value' in outcome ? [outcome.value.body.buffer as ArrayBuffer] : [];
}

function createTimeoutError(): CalendarUnavailable {
  return new CalendarUnavailable('The calendar could not be read in time.');
}
