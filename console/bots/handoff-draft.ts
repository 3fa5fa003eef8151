import type { HandoffConfig, Weekday } from '../../core/conversations/handoff-config.ts';
import { lines } from './form-field.ts';

/** Form values of a bot's handoff settings. */
export interface HandoffDraft {
  handoff_waiting: string;
  handoff_closed: string;
  handoff_timezone: string;
  /** Opening hours, one period per line, such as `mon-fri 09:00-17:00`. */
  handoff_hours: string;
  handoff_accepts: boolean;
  /** Members to notify, by id or mail address, one per line. */
  handoff_notify: string;
}

const weekdays: readonly Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];

type Period = NonNullable<HandoffConfig['hours']>['periods'][number];

export function toHandoffDraft(config: HandoffConfig | null): HandoffDraft {
  return {
    handoff_waiting: config?.waiting_message ?? '',
    handoff_closed: config?.closed_message ?? '',
    handoff_timezone: config?.hours?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    handoff_hours: lines.show((config?.hours?.periods ?? []).map(formatPeriod)),
    handoff_accepts: config?.accepts_when_closed ?? true,
    handoff_notify: lines.show(config?.notify ?? []),
  };
}

/**
 * Converts form values to the bot's handoff configuration; null if all fields are empty. Leaves invalid input
 * unchanged, so that the API's error can name it.
 * @param stored stored configuration, whose keys without an input are kept
 */
export function toHandoffConfig(draft: HandoffDraft, stored: HandoffConfig | null): HandoffConfig | null {
  const periods = lines.read(draft.handoff_hours).map(parsePeriod);
  const notify = lines.read(draft.handoff_notify);
  const config = {
    waiting_message: draft.handoff_waiting.trim() || null,
    closed_message: draft.handoff_closed.trim() || null,
    hours: periods.length > 0 ? { timezone: draft.handoff_timezone.trim(), periods } : null,
    accepts_when_closed: draft.handoff_accepts,
    notify: notify.length > 0 ? notify : null,
  };
  const { accepts_when_closed: accepts, ...rest } = config;
  const others = Object.entries(stored ?? {}).filter(([key]) => !Object.hasOwn(config, key));
  const isEmpty = others.length === 0 && accepts && Object.values(rest).every((value) => value === null);
  return isEmpty ? null : { ...Object.fromEntries(others), ...config };
}

function formatPeriod({ days, opens, closes }: Period): string {
  return `${days.map(abbreviateDay).join(' ')} ${opens}-${closes}`;
}

/** Parses a period such as `mon-wed fri 09:00-17:00`. Accepts full names of days, and any kind of dash. */
function parsePeriod(line: string): Period {
  const words = line
    .toLowerCase()
    .replace(/[–—]/g, '-')
    .replace(/\s*-\s*/g, '-')
    .split(/[\s,]+/);
  const [opens = '', closes = ''] = (words.find((word) => /\d/.test(word)) ?? '').split('-');
  const days = words.filter((word) => !/\d/.test(word)).flatMap(parseDays);
  return {
    days: weekdays.filter((day) => days.includes(day)),
    opens: padTime(opens),
    closes: padTime(closes),
  };
}

function parseDays(word: string): Weekday[] {
  const [first, last = first] = word
    .split('-')
    .map((name) => weekdays.findIndex((day) => name !== '' && day.startsWith(name.slice(0, 3))));
  if (first === undefined || last === undefined || first < 0 || last < 0) return [];
  return first <= last
    ? weekdays.slice(first, last + 1)
    : [...weekdays.slice(first), ...weekdays.slice(0, last + 1)];
}

function padTime(time: string): string {
  return /^\d:/.test(time) ? `0${time}` : time;
}

function abbreviateDay(day: Weekday): string {
  return day.slice(0, 3);
}
