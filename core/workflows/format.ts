import { limitWaitMs } from '../concurrency/backoff.ts';

/** Longest timer of a workflow, and the latest time that it shows. A workflow that waits longer checks again then. */
const MAX_TIMER_MS = 366 * 86_400_000;

/** Bounds a wait that an activity returned: timers and dates refuse larger ones, which would block the workflow. */
export function timerMs(waitMs: number): number {
  return limitWaitMs(waitMs, MAX_TIMER_MS);
}

/** Formats the time after a wait for the workflow's page. */
export function timeAfter(waitMs: number): string {
  return new Date(Date.now() + timerMs(waitMs)).toISOString();
}

/** Formats `1 page`, `1,234 pages`. */
export function pluralize(count: number, noun: string): string {
  return `${count.toString().replace(/\B(?=(\d{3})+$)/g, ',')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a Markdown list for the workflow's page in Temporal's UI. */
export function formatDetails(title: string, lines: string[]): string {
  return [`**${title}**`, '', ...lines.map((line) => `- ${line}`)].join('\n');
}
