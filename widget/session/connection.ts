import { ApiError, type ApiClient, type WidgetEvent } from './api-client.ts';
import type { Credential, Pending } from './stored.ts';

const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000, 8000, 8000];

/** The API could not be reached, however often it was tried. */
export class ConnectionLost extends Error {}

/** A session that is over for the API. */
export function isExpired(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** The same, because its conversation is not there any more. */
export function isRemoved(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ code }) => code === 'removed');
}

/** What will not get better by trying again at once. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.code !== 'idempotency_in_progress';
}

export interface Watch {
  signal: AbortSignal;
  /** Told when the connection is lost, and when it is there again. */
  connected(isConnected: boolean): void;
}

/**
 * Sends a message and tells the events of its answer to the last one, over as many connections as that takes: the
 * message's name finds the answer that is under way, and the last event's id what is still to be read of it.
 * @throws ApiError when the API refuses the message; ConnectionLost
 */
export async function* turnEvents(
  api: ApiClient,
  credential: Credential,
  { content, clientId, optionId }: Pending,
  { signal, connected }: Watch,
): AsyncGenerator<WidgetEvent> {
  let lastEventId: string | undefined;
  for (let failures = 0; ;) {
    try {
      const body = { content, client_id: clientId, option_id: optionId };
      for await (const event of api.ask(credential, body, lastEventId, signal)) {
        if (failures > 0) connected(true);
        failures = 0;
        lastEventId = event.id ?? lastEventId;
        yield event;
        if (event.event === 'done') return;
      }
    } catch (error) {
      if (signal.aborted || isRefusal(error)) throw error;
    }
    failures = await nextTry(failures, { signal, connected });
  }
}

/**
 * Calls as often as it takes to get an answer.
 * @throws ApiError when the API refuses; ConnectionLost; the signal's reason
 */
export async function answered<T>(call: () => Promise<T>, watch: Watch): Promise<T> {
  for (let failures = 0; ;) {
    try {
      const answer = await call();
      watch.signal.throwIfAborted();
      if (failures > 0) watch.connected(true);
      return answer;
    } catch (error) {
      if (watch.signal.aborted || isRefusal(error)) throw error;
    }
    failures = await nextTry(failures, watch);
    watch.signal.throwIfAborted();
  }
}

/** Waits for the time of another try, and counts it; being offline is not counted. */
async function nextTry(failures: number, { signal, connected }: Watch): Promise<number> {
  if (failures === RETRY_DELAYS_MS.length) throw new ConnectionLost();
  connected(false);
  if (await isOffline(signal)) return 1;
  await pause(RETRY_DELAYS_MS[failures]!, signal);
  return failures + 1;
}

/**
 * What happens in a conversation, for as long as somebody listens; a lost connection goes on where it ended.
 * @param newestId of the last message that is known when a connection begins
 * @throws ApiError when the session has expired
 */
export async function* liveEvents(
  api: ApiClient,
  credential: Credential,
  newestId: () => string | undefined,
  { signal, connected }: Watch,
): AsyncGenerator<WidgetEvent> {
  for (let failures = 0; !signal.aborted;) {
    try {
      for await (const event of api.listen(credential, newestId(), signal)) {
        connected(true);
        failures = 0;
        yield event;
        if (event.event === 'ended' || event.event === 'closed') return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isExpired(error)) throw error;
      // A stream that ends properly is only to be opened anew, and who refuses can be reached.
      connected(isRefusal(error));
    }
    if (signal.aborted) return;
    if (await isOffline(signal)) failures = 0;
    else await pause(RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)]!, signal);
    failures += 1;
  }
}

/** Whether the browser had no network; returns when it has one again. */
async function isOffline(signal: AbortSignal): Promise<boolean> {
  if (navigator.onLine) return false;
  await new Promise<void>((resolve) => {
    const options = { once: true };
    window.addEventListener('online', () => resolve(), options);
    signal.addEventListener('abort', () => resolve(), options);
  });
  return true;
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs * (0.8 + 0.4 * Math.random()));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
