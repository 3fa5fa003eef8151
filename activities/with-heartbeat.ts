import { cancellationSignal, heartbeat } from '@temporalio/activity';

const HEARTBEAT_MS = 3000;

/**
 * Sends heartbeats to Temporal while an activity's `work` runs. Without heartbeats, an activity never learns
 * that it was canceled.
 */
export async function withHeartbeat<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = cancellationSignal();
  heartbeat();
  const timer = setInterval(heartbeat, HEARTBEAT_MS);
  try {
    return await work(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearInterval(timer);
  }
}
