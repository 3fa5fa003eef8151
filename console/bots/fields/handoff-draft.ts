import type { HandoffConfig, Weekday } from '../../../core/conversations/handoff-config.ts';
import { browserTimeZone } from '../../components/zones/time-zones.ts';
import { lines } from './form-field.ts';

/** Form values of a bot's handoff settings. */
export interface HandoffDraft {
  handoff_waiting: string;
  handoff_closed: string;
  handoff_timezone: string;
  /** Business hours as JSON of `DayHours`, so that form values can be compared as strings. Empty for 24/7. */
  handoff_hours: string;
  handoff_accepts: boolean;
  /** Members of the workspace to notify of a handoff, by id or email address, one per line. */
  handoff_notify: string;
}

export const weekdays: readonly Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];

type Period = NonNullable<HandoffConfig['hours']>['periods'][number];

/** Start and end of the hours in which people answer visitors, such as 09:00 and 17:00. */
export type HourRange = Pick<Period, 'opens' | 'closes'>;

/** Hours of each weekday in which people answer visitors. */
export type DayHours = Partial<Record<Weekday, readonly HourRange[]>>;

export function toHandoffDraft(config: HandoffConfig | null): HandoffDraft {
  return {
    handoff_waiting: config?.waiting_message ?? '',
    handoff_closed: config?.closed_message ?? '',
    handoff_timezone: config?.hours?.timezone ?? browserTimeZone,
    handoff_hours: formatDayHours(groupByDay(config?.hours?.periods ?? [])),
    handoff_accepts: config?.accepts_when_closed ?? true,
    handoff_notify: lines.show(config?.notify ?? []),
  };
}

/**
 * Converts form values to the bot's handoff configuration; null if all fields are empty. Leaves invalid input
 * unchanged, so that the API's error can name the invalid value.
 * @param stored stored configuration, whose keys without an input are kept
 */
export function toHandoffConfig(draft: HandoffDraft, stored: HandoffConfig | null): HandoffConfig | null {
  const periods = groupByRange(parseDayHours(draft.handoff_hours));
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

/** Business hours that the editor suggests: Monday to Friday from 9 to 17. */
export const defaultHours: DayHours = Object.fromEntries(
  weekdays.slice(0, 5).map((day) => [day, [{ opens: '09:00', closes: '17:00' }]]),
);

export function parseDayHours(hours: string): DayHours {
  return hours === '' ? {} : (JSON.parse(hours) as DayHours);
}

/** Formats business hours with their days in order, so that equal hours are equal strings. */
export function formatDayHours(hours: DayHours): string {
  const days = weekdays.flatMap((day) => (hours[day]?.length ? [[day, hours[day]] as const] : []));
  return days.length === 0 ? '' : JSON.stringify(Object.fromEntries(days));
}

function groupByDay(periods: readonly Period[]): DayHours {
  return Object.fromEntries(
    weekdays.map((day) => [
      day,
      periods
        .filter(({ days }) => days.includes(day))
        .map(({ opens, closes }) => ({ opens, closes }))
        .toSorted((a, b) => a.opens.localeCompare(b.opens)),
    ]),
  );
}

/** Joins the weekdays that have the same range of business hours. */
function groupByRange(hours: DayHours): Period[] {
  const periods = new Map<string, Period>();
  for (const day of weekdays)
    for (const { opens, closes } of hours[day] ?? []) {
      const period = periods.get(`${opens}-${closes}`) ?? { days: [], opens, closes };
      periods.set(`${opens}-${closes}`, { ...period, days: [...new Set([...period.days, day])] });
    }
  return [...periods.values()];
}
