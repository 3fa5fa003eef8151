import { OutboundError } from './outbound-error.ts';

/**
 * Runs `work`, such as an outbound request, with a signal that aborts after `timeoutMs`, or when the caller's
 * signal aborts. The reason is an OutboundError, `timeout` or `aborted`. Leaves no listener on the caller's
 * signal.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(createTimeoutFailure(timeoutMs)), timeoutMs);
  const abortRequest = () => controller.abort(createCancelledFailure(signal));
  signal?.addEventListener('abort', abortRequest, { once: true });
  if (signal?.aborted) abortRequest();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abortRequest);
  }
}

/** Returns the result of `promise`, but rejects with the signal's reason as soon as the signal aborts. */
export async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` when the signal aborts, or immediately if the signal is already aborted. Returns a
 * function that unsubscribes. Each signal gets only one native listener, since adding many to an AbortSignal
 * is slow.
 */
export function listenForAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  const existing = listeners.get(signal);
  const all = existing ?? new Set();
  all.add(listener);
  if (!existing) {
    listeners.set(signal, all);
    signal.addEventListener('abort', () => all.forEach((each) => each()), { once: true });
  }
  return () => all.delete(listener);
}

export function createTimeoutFailure(timeoutMs: number): OutboundError {
  const seconds = Math.ceil(timeoutMs / 100) / 10;
  return new OutboundError('timeout', `No complete response arrived within ${seconds} s.`);
}

export function createCancelledFailure(signal: AbortSignal | undefined): OutboundError {
  return new OutboundError('aborted', 'The request was canceled.', { cause: signal?.reason });
}
