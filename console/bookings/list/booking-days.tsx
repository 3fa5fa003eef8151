import { useId, type ReactNode } from 'react';
import type { LocalDate } from '../../../core/local-time.ts';
import type { Booking } from '../../client/types.ts';
import { useBotNames } from '../../bots/use-bots.ts';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { IconCalendar } from '../../shell/icons.ts';
import { Status } from '../../components/lists/status.tsx';
import { groupByDay } from '../group-by-day.ts';
import type { DayRange } from '../day-range.ts';
import { formatDay } from '../times.ts';
import { BookingRow } from './booking-row.tsx';

export interface BookingDaysProps {
  /** Bookings sorted by their start. */
  bookings: readonly Booking[];
  range: DayRange;
  today: LocalDate;
  zone: string;
  filters: Record<string, string>;
  isFiltered: boolean;
}

/** Lists bookings under headings of days. Today has a heading even without bookings. */
export function BookingDays({ bookings, range, today, zone, filters, isFiltered }: BookingDaysProps) {
  const botNames = useBotNames();
  if (bookings.length === 0)
    return (
      <EmptyState
        icon={<IconCalendar size={32} />}
        title={isFiltered ? 'No bookings match your filters' : 'No bookings on these days'}
      >
        {isFiltered ? 'Change the filters or the days.' : 'Bookings by visitors and your team appear here.'}
      </EmptyState>
    );
  const hasToday = range.from <= today && today <= range.until;
  return (
    <>
      {includeToday(groupByDay(bookings, zone), hasToday ? today : null).map(([day, dayBookings]) => (
        <Day key={day} day={day} isToday={day === today}>
          {dayBookings.length === 0 ? (
            <p className="hint">No bookings today</p>
          ) : (
            <ul className="bookings">
              {dayBookings.map((booking) => (
                <BookingRow
                  key={booking.id}
                  booking={booking}
                  zone={zone}
                  filters={filters}
                  botName={booking.bot_id === null ? undefined : botNames.get(booking.bot_id)}
                />
              ))}
            </ul>
          )}
        </Day>
      ))}
    </>
  );
}

function Day({ day, isToday, children }: { day: LocalDate; isToday: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <section className="stack booking-day" aria-labelledby={id} aria-current={isToday ? 'date' : undefined}>
      <h2 id={id}>
        <time dateTime={day}>{formatDay(day)}</time>
        {isToday && <Status tone="good">Today</Status>}
      </h2>
      {children}
    </section>
  );
}

/**
 * Adds today to the list of days, without bookings, if the list lacks it.
 * @param today day to add; null to add no day
 */
function includeToday(
  days: readonly (readonly [LocalDate, readonly Booking[]])[],
  today: LocalDate | null,
): readonly (readonly [LocalDate, readonly Booking[]])[] {
  if (today === null || days.some(([day]) => day === today)) return days;
  return [...days, [today, []] as const].toSorted(([one], [other]) => one.localeCompare(other));
}
