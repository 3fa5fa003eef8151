import type { Booking } from '../../client/types.ts';
import { buildHref } from '../../router.ts';
import { Badge } from '../../components/badge.tsx';
import {
  describeAttendee,
  getBookingName,
  calendarStatusNames,
  CONFLICT,
  sourceNames,
} from '../booking-words.ts';
import { formatHours } from '../times.ts';
import { capitalize } from '../../components/capitalize.ts';

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
    <li className={isCancelled ? 'booking cancelled' : 'booking'} data-id={id}>
      <time className="booking-hours" dateTime={start}>
        {formatHours(start, end, zone)}
      </time>
      <div className="booking-facts">
        <a className="row-name" dir="auto" href={buildHref(['bookings', id], filters)}>
          {getBookingName(booking)}
        </a>
        {attendee !== null && (
          <p className="attendee" dir="auto">
            {attendee}
          </p>
        )}
        <p className="hint">
          {sourceNames[source]}
          {botName !== undefined && (
            <>
              {' of '}
              <bdi>{botName}</bdi>
            </>
          )}
        </p>
        {!isCancelled && conflict && <p className="reason">{CONFLICT}</p>}
        {booking.calendar_error !== null && written !== 'written' && (
          <p className="reason">
            {capitalize(calendarStatusNames[written])}: {booking.calendar_error}
          </p>
        )}
      </div>
      <p className="booking-states">
        {isCancelled && <Badge state="cancelled" />}
        {!isCancelled && conflict && <Badge state="conflict" />}
        {(written === 'pending' || written === 'failed') && (
          <span className={`badge ${written === 'failed' ? 'bad' : 'busy'}`}>
            {calendarStatusNames[written]}
          </span>
        )}
      </p>
    </li>
  );
}
