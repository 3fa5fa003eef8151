import { ApiError, type ApiClient, type WidgetEvent } from './api-client.ts';
import type { Credential, Pending } from './stored.ts';

const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000, 8000, 8000];

/** The API could not be reached within all retries. */
export class ConnectionLost extends Error {}

/** Returns whether the session has expired. */
export function isExpired(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Returns whether the session has expired because its conversation was deleted. */
export function isRemoved(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ code }) => code === 'removed');
}

/** Returns whether an immediate retry is pointless. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.code !== 'idempotency_in_progress';
}

export interface Watch {
  signal: AbortSignal;
  /** Called when the connection is lost and when it is restored. */
  connected(isConnected: boolean): void;
}

/**
 * Sends a message and yields the events of its answer, reconnecting as needed. The message's client id finds the
 * answer in progress, and the id of the last event its position.
 * @throws ApiError if the API rejects the message; ConnectionLost after all retries
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
 * Calls until the API answers.
 * @throws ApiError if the API rejects the call; ConnectionLost after all retries; the signal's reason
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

/**
 * Waits before the next retry.
 * @returns number of failures so far, starting over after time offline
 */
async function nextTry(failures: number, { signal, connected }: Watch): Promise<number> {
  if (failures === RETRY_DELAYS_MS.length) throw new ConnectionLost();
  connected(false);
  if (await isOffline(signal)) return 1;
  await pause(RETRY_DELAYS_MS[failures]!, signal);
  return failures + 1;
}

/**
 * Yields the events of a conversation until it ends, and reconnects after a lost connection.
 * @param newestId returns the id of the last known message, where a connection starts
 * @throws ApiError if the session has expired
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
      // A stream that ended normally only needs to be reopened, and a rejection proves that the API can be reached.
      connected(isRefusal(error));
    }
    if (signal.aborted) return;
    if (await isOffline(signal)) failures = 0;
    else await pause(RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)]!, signal);
    failures += 1;
  }
}

/**
 * Waits while the browser is offline.
 * @returns whether it was offline
 */
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
