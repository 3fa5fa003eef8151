import { fill } from '../texts.ts';
import type { Wording } from '../wording.ts';
import type { HandoffState, WidgetConfig } from './api-client.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Maximum number of days ahead for which an opening time is shown with the weekday only. Later times need a
 * date, because the weekday would be ambiguous.
 */
const MAX_WEEKDAY_DAYS = 6;

/**
 * Returns the text for a visitor who requests or waits for an agent, with the place in the queue. Outside the opening
 * hours, it says when the team is back and whether the request is stored.
 */
export function describeHandoff(
  {
    handoff_notice: notice,
    queue_position: position,
  }: Pick<HandoffState, 'handoff_notice' | 'queue_position'>,
  { language, texts }: Wording,
): string {
  const sentences = [notice?.message];
  if (notice && !notice.is_open) {
    const text = notice.accepts_requests ? texts.closedTaken : texts.closedRefused;
    sentences.push(fill(text, { time: formatOpeningTime(notice.opens_at, language) }));
  } else {
    sentences[0] ??= texts.waiting;
    if (position) sentences.push(fill(texts.queue, { position }));
  }
  return sentences.filter(Boolean).join(' ');
}

/** Returns when the team is back, or how soon it typically replies; an empty text if neither is known. */
export function describeTeam(team: WidgetConfig['team'], { language, texts }: Wording): string {
  if (team?.opens_at) return fill(texts.teamBack, { time: formatOpeningTime(team.opens_at, language) });
  const minutes = team?.is_open ? team.reply_minutes : null;
  return minutes === null ? '' : fill(texts.teamReplies, { time: formatDuration(minutes, language) });
}

function formatDuration(minutes: number, language: string): string {
  const [value, unit] = minutes < 60 ? [minutes, 'minute'] : [Math.round(minutes / 60), 'hour'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/**
 * Formats the time at which the team is back, in the browser's time zone and in the language of the texts. If
 * the browser's locale has this language, uses its regional format.
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
