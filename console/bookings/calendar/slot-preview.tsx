import { addDays } from '../../../core/local-time.ts';
import { withQuery } from '../../client/paths.ts';
import type { CalendarConnection, Slot } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import type { Cached } from '../../state/use-loaded.ts';
import { useDebounced } from '../../state/use-debounced.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { groupByDay } from '../group-by-day.ts';
import { toTimeRange } from '../day-range.ts';
import { getLocalDay, formatDay, formatTime } from '../times.ts';
import { findSettingsFault, toSettings, type Settings, type SettingsDraft } from './settings-draft.ts';

const PAUSE_MS = 300;
const DAYS = 7;
/** Maximum number of free slots shown for a day; further slots are only counted. */
const MAX_SHOWN = 24;

export interface SlotPreviewProps {
  draft: SettingsDraft;
  connection: CalendarConnection | null;
}

/** Preview of the slots that visitors and the team could book with the unsaved calendar settings. */
export function SlotPreview({ draft, connection }: SlotPreviewProps) {
  const fault = findSettingsFault(draft);
  const zone = toSettings(draft).timezone ?? 'UTC';
  const url = useDebounced(fault === null ? buildPreviewUrl(draft, connection) : null, PAUSE_MS);
  // Show the previous slots until the requested slots arrive, so that the page layout does not jump while the
  // user types.
  const preview = useApi<Slot[]>(url, { keepsPrevious: true });
  return (
    <Section title="Preview">
      <p className="hint">
        Free times over the next {DAYS} days with these unsaved settings. Visitors can't book at short notice.
      </p>
      {!draft.isActive && <p className="reason">Bookings are off. If you turn them on, visitors see:</p>}
      {fault !== null ? (
        <p className="empty" role="status">
          {fault}
        </p>
      ) : (
        <Preview slots={preview} zone={zone} />
      )}
    </Section>
  );
}

interface PreviewProps {
  slots: Cached<Slot[]>;
  zone: string;
}

function Preview({ slots: { data, problem, isLoading, isPrevious, reload }, zone }: PreviewProps) {
  if (problem !== null) return <ProblemMessage problem={problem} onRetry={reload} />;
  return (
    <div className="stack" aria-busy={isLoading || isPrevious}>
      <p role="status">{data === undefined ? 'Loading…' : summarizeSlots(data)}</p>
      {groupByDay(data ?? [], zone).map(([day, daySlots]) => (
        <div key={day} className="preview-day">
          <h3>{formatDay(day)}</h3>
          <ol className="preview-slots">
            {daySlots.slice(0, MAX_SHOWN).map(({ start }) => (
              <li key={start}>
                <time dateTime={start}>{formatTime(start, zone)}</time>
              </li>
            ))}
          </ol>
          {daySlots.length > MAX_SHOWN && (
            <p className="hint">
              and {daySlots.length - MAX_SHOWN} more, until {formatTime(daySlots.at(-1)!.start, zone)}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

function summarizeSlots(slots: readonly Slot[]): string {
  return slots.length === 0 ? 'No free times' : `${formatCount(slots.length, 'free time')}`;
}

/**
 * Builds the URL of the preview of free slots. The API computes the slots, since only it knows the busy
 * times.
 */
function buildPreviewUrl(draft: SettingsDraft, connection: CalendarConnection | null): string {
  const settings = toSettings(draft);
  const zone = settings.timezone ?? 'UTC';
  const today = getLocalDay(Date.now(), zone);
  return withQuery('/api/bookings/slots', {
    ...toTimeRange({ from: today, until: addDays(today, DAYS - 1) }, zone),
    timezone: zone,
    slot_minutes: settings.slot_minutes ?? 30,
    buffer_minutes: settings.buffer_minutes ?? 0,
    business_open_hour: settings.business_open_hour,
    business_close_hour: settings.business_close_hour,
    weekdays_only: settings.weekdays_only,
    business_timezone: zone,
    ...(connection !== null && connection.provider !== 'local' && toCalendarQuery(settings)),
  });
}

/**
 * Returns the calendars whose busy times the preview includes, and which events count as busy. The calendar
 * in which bookings are created is always one of these calendars.
 */
function toCalendarQuery(settings: Settings) {
  const { booking_calendar_id: own, calendar_ids: chosen } = settings;
  const ids = [...new Set([own, ...(chosen ?? [])])].filter((id) => id !== null);
  return {
    booking_calendar_id: own,
    calendar_ids: ids.join('\n'),
    all_day_events_block: settings.all_day_events_block,
    unanswered_invitations_block: settings.unanswered_invitations_block,
  };
}
