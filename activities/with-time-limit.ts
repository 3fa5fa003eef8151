import { OutboundError } from '../adapters/http/outbound-error.ts';

/**
 * Runs an activity's `work` on a website within a time limit, which must be shorter than the activity's
 * timeout. After such a timeout, Temporal would retry many times; after this error, it retries once.
 * @param work function that gets the signal by which it is aborted
 * @throws OutboundError `timeout` at the time limit
 */
export async function withTimeLimit<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const seconds = Math.round(limitMs / 1000);
  const error = new OutboundError('timeout', `The website could not be read within ${seconds} s.`);
  const expired = new Promise<never>((_resolve, reject) => {
    timeout.signal.addEventListener('abort', () => reject(error), { once: true });
  });
  const timer = setTimeout(() => timeout.abort(error), limitMs);
  try {
    return await Promise.race([work(AbortSignal.any([signal, timeout.signal])), expired]);
  } finally {
    clearTimeout(timer);
  }
}
