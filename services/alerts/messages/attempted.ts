/** What an attempt came to. The workflow waits as long as it says, in durable timers. */
export type Attempted =
  | { state: 'over'; end: string; reason: string | null; attempts: number }
  | { state: 'again'; waitMs: number; reason: string; attempts: number }
  | { state: 'misconfigured'; waitMs: number; reason: string; attempts: number };
