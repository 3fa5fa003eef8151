import type { Booking } from '../../client/types.ts';
import { buildHref } from '../../router.ts';
import { Badge } from '../../ui/badge.tsx';
import {
  describeAttendee,
  getBookingName,
  calendarStatusNames,
  CONFLICT,
  sourceNames,
} from '../booking-words.ts';
import { formatHours } from '../times.ts';
import { capitalize } from '../../ui/capitalize.ts';

export interface BookingRowProps {
  booking: Booking;
  zone: string;
  /** Filters of the list, kept in the link that opens the booking. */
  filters: Record<string, string>;
  /** Name of the bot; undefined if the team made the booking, or if the bot's name is unknown. */
  botName: string | undefined;
}

export function BookingRow({ booking, zone, filters, botName }: BookingRowProps) {
  const { id, start, end, status, conflict, source, calendar_status: written } = booking;
  const isCancelled = status === 'cancelled';
  const attendee = describeAttendee(booking);
  return (
    <li class={isCancelled ? 'booking cancelled' : 'booking'} data-id={id}>
      <time class="booking-hours" dateTime={start}>
        {formatHours(start, end, zone)}
      </time>
      <div class="booking-facts">
        <a class="row-name" dir="auto" href={buildHref(['bookings', id], filters)}>
          {getBookingName(booking)}
        </a>
        {attendee !== null && (
          <p class="attendee" dir="auto">
            {attendee}
          </p>
        )}
        <p class="hint">
          {sourceNames[source]}
          {botName !== undefined && (
            <>
              {' of '}
              <bdi>{botName}</bdi>
            </>
          )}
        </p>
        {!isCancelled && conflict && <p class="reason">{CONFLICT}</p>}
        {booking.calendar_error !== null && written !== 'written' && (
          <p class="reason">
            {capitalize(calendarStatusNames[written])}: {booking.calendar_error}
          </p>
        )}
      </div>
      <p class="booking-states">
        {isCancelled && <Badge state="cancelled" />}
        {!isCancelled && conflict && <Badge state="conflict" />}
        {(written === 'pending' || written === 'failed') && (
          <span class={`badge ${written === 'failed' ? 'bad' : 'busy'}`}>{calendarStatusNames[written]}</span>
        )}
      </p>
    </li>
  );
}
