import { fill } from '../texts.ts';
import type { Wording } from '../wording.ts';
import type { HandoffState } from './api-client.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Opening times up to this many days ahead are shown with the weekday only. Later ones need a date, because
 * the weekday would be ambiguous.
 */
const MAX_WEEKDAY_DAYS = 6;

/**
 * Returns the text for a visitor who requests or waits for an agent. Outside the opening hours, it says when
 * the team is back and whether the request is stored.
 */
export function describeHandoff(
  notice: HandoffState['handoff_notice'],
  { language, texts }: Wording,
): string {
  if (!notice || notice.is_open) return notice?.message ?? texts.waiting;
  const text = notice.accepts_requests ? texts.closedTaken : texts.closedRefused;
  const messages = notice.message === null ? [] : [notice.message];
  return [...messages, fill(text, { time: formatOpeningTime(notice.opens_at, language) })].join(' ');
}

/**
 * Formats a time in the browser's time zone and in the language of the texts. If the browser's locale has
 * this language, uses its regional format.
 */
function formatOpeningTime(opensAt: string | null, language: string): string {
  if (opensAt === null) return '…';
  const date = new Date(opensAt);
  const isWithinWeek = date.getTime() - Date.now() < MAX_WEEKDAY_DAYS * DAY_MS;
  return date.toLocaleString(
    navigator.languages.find((each) => each.split('-')[0] === language) ?? language,
    isWithinWeek
      ? { weekday: 'long', hour: '2-digit', minute: '2-digit' }
      : { dateStyle: 'full', timeStyle: 'short' },
  );
}
