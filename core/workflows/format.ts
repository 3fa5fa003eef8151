import { limitWaitMs } from '../concurrency/backoff.ts';

/**
 * Maximum duration of a workflow's timer, and of times shown in Temporal's UI. A workflow that waits longer
 * checks again when the timer fires.
 */
const MAX_TIMER_MS = 366 * 86_400_000;

/**
 * Limits a wait in milliseconds that an activity returned. Temporal's timers and dates reject very large
 * values, which would block the workflow.
 */
export function limitTimerMs(waitMs: number): number {
  return limitWaitMs(waitMs, MAX_TIMER_MS);
}

/** Formats the time at which a workflow's wait ends, for the workflow's page in Temporal's UI. */
export function formatTimeAfter(waitMs: number): string {
  return new Date(Date.now() + limitTimerMs(waitMs)).toISOString();
}

/** Formats a count with its noun, such as `1 page` or `1,234 pages`. */
export function pluralize(count: number, noun: string): string {
  return `${count.toString().replace(/\B(?=(\d{3})+$)/g, ',')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a Markdown list for the workflow's page in Temporal's UI. */
export function formatDetails(title: string, lines: string[]): string {
  return [`**${title}**`, '', ...lines.map((line) => `- ${line}`)].join('\n');
}
