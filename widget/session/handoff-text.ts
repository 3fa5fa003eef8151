import { fill } from '../texts.ts';
import type { Wording } from '../wording.ts';
import type { HandoffState } from './api-client.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Further away, a day of the week may be this one or the next. */
const MOST_DAYS = 6;

/** What a visitor reads who asks for a person, or waits for one: outside the hours when people are back, and what becomes of it. */
export function handoffText(notice: HandoffState['handoff_notice'], { language, texts }: Wording): string {
  if (!notice || notice.is_open) return notice?.message ?? texts.waiting;
  const text = notice.accepts_requests ? texts.closedTaken : texts.closedRefused;
  const said = notice.message === null ? [] : [notice.message];
  return [...said, fill(text, { time: timeOf(notice.opens_at, language) })].join(' ');
}

/** By the visitor's clock, in the language of the words around it: as the visitor writes it, where that is the visitor's. */
function timeOf(opensAt: string | null, language: string): string {
  if (opensAt === null) return '…';
  const date = new Date(opensAt);
  const isNear = date.getTime() - Date.now() < MOST_DAYS * DAY_MS;
  return date.toLocaleString(
    navigator.languages.find((each) => each.split('-')[0] === language) ?? language,
    isNear
      ? { weekday: 'long', hour: '2-digit', minute: '2-digit' }
      : { dateStyle: 'full', timeStyle: 'short' },
  );
}
