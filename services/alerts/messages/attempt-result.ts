/**
 * Result of an attempt to send an alert message. Before the next attempt, the workflow waits for `waitMs`
 * with a durable timer.
 */
export type AttemptResult =
  | { state: 'over'; end: string; reason: string | null; attempts: number }
  | { state: 'again'; waitMs: number; reason: string; attempts: number }
  | { state: 'misconfigured'; waitMs: number; reason: string; attempts: number };
