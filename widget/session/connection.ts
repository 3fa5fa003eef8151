import { ApiError, type VisitorApi, type WidgetEvent } from './api-client.ts';
import type { Credential, PendingMessage } from './stored-state.ts';

const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000, 8000, 8000];

/** Thrown if the widget could not reach the API in any of the retries. */
export class ConnectionLostError extends Error {}

/** Returns whether the API has rejected a call because the session has expired. */
export function isSessionExpired(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Returns whether the API has rejected a call because the conversation was deleted. */
export function isConversationDeleted(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ code }) => code === 'removed');
}

/** Returns whether the API would reject the call again, so that a retry is pointless. */
function isPermanentError(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.code !== 'idempotency_in_progress';
}

export interface ConnectionWatch {
  signal: AbortSignal;
  /** Called with false when the connection is lost, and with true when it is restored. */
  setConnected(isConnected: boolean): void;
}

/**
 * Sends a visitor's message and yields the events of its answer. After a lost connection, continues with the
 * same answer, by the message's client id and the id of the last event.
 * @throws ApiError if the API rejects the message; ConnectionLostError after all retries
 */
export async function* streamTurn(
  api: VisitorApi,
  credential: Credential,
  { content, clientId, optionId }: PendingMessage,
  { signal, setConnected }: ConnectionWatch,
): AsyncGenerator<WidgetEvent> {
  let lastEventId: string | undefined;
  for (let failures = 0; ;) {
    try {
      const body = { content, client_id: clientId, option_id: optionId };
      for await (const event of api.streamAnswer(credential, body, lastEventId, signal)) {
        if (failures > 0) setConnected(true);
        failures = 0;
        lastEventId = event.id ?? lastEventId;
        yield event;
        if (event.event === 'done') return;
      }
    } catch (error) {
      if (signal.aborted || isPermanentError(error)) throw error;
    }
    failures = await waitForRetry(failures, { signal, setConnected });
  }
}

/**
 * Repeats a call of the API until the API answers.
 * @throws ApiError if the API rejects the call; ConnectionLostError after all retries; the signal's reason
 */
export async function callUntilAnswered<T>(call: () => Promise<T>, watch: ConnectionWatch): Promise<T> {
  for (let failures = 0; ;) {
    try {
      const answer = await call();
      watch.signal.throwIfAborted();
      if (failures > 0) watch.setConnected(true);
      return answer;
    } catch (error) {
      if (watch.signal.aborted || isPermanentError(error)) throw error;
    }
    failures = await waitForRetry(failures, watch);
    watch.signal.throwIfAborted();
  }
}

/**
 * Waits before the next retry of an API call.
 * @returns the new number of failures; 1 if the browser was offline meanwhile
 */
async function waitForRetry(failures: number, { signal, setConnected }: ConnectionWatch): Promise<number> {
  if (failures === RETRY_DELAYS_MS.length) throw new ConnectionLostError();
  setConnected(false);
  if (await waitWhileOffline(signal)) return 1;
  await waitWithJitter(RETRY_DELAYS_MS[failures]!, signal);
  return failures + 1;
}

/**
 * Yields the events of a conversation until the conversation ends, and reconnects after a lost connection.
 * @param newestId returns the id of the newest known message; later events are streamed
 * @throws ApiError if the session has expired
 */
export async function* streamLiveEvents(
  api: VisitorApi,
  credential: Credential,
  newestId: () => string | undefined,
  { signal, setConnected }: ConnectionWatch,
): AsyncGenerator<WidgetEvent> {
  for (let failures = 0; !signal.aborted;) {
    try {
      for await (const event of api.streamEvents(credential, newestId(), signal)) {
        setConnected(true);
        failures = 0;
        yield event;
        if (event.event === 'ended' || event.event === 'closed') return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isSessionExpired(error)) throw error;
      // The API is reachable if the stream has ended normally or if the API has rejected the request. Any
      // other error is a lost connection.
      setConnected(isPermanentError(error));
    }
    if (signal.aborted) return;
    if (await waitWhileOffline(signal)) failures = 0;
    else await waitWithJitter(RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)]!, signal);
    failures += 1;
  }
}

/**
 * Waits while the browser is offline.
 * @returns whether it was offline
 */
async function waitWhileOffline(signal: AbortSignal): Promise<boolean> {
  if (navigator.onLine) return false;
  await new Promise<void>((resolve) => {
    const options = { once: true };
    window.addEventListener('online', () => resolve(), options);
    signal.addEventListener('abort', () => resolve(), options);
  });
  return true;
}

function waitWithJitter(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs * (0.8 + 0.4 * Math.random()));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
