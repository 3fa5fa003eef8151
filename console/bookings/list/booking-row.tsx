import type { Booking } from '../../client/types.ts';
import { buildHref } from '../../router.ts';
import { Status } from '../../components/lists/status.tsx';
import { calendarWords, CONFLICT, describeAttendee, getBookingName, sourceNames } from '../booking-words.ts';
import { formatHours } from '../times.ts';

export interface BookingRowProps {
  booking: Booking;
  zone: string;
  /** Filters of the list of bookings, kept in the link that opens the booking. */
  filters: Record<string, string>;
  /**
   * Name of the bot that made the booking; undefined if the team made the booking, or if the bot's name is
   * unknown.
   */
  botName: string | undefined;
}

export function BookingRow({ booking, zone, filters, botName }: BookingRowProps) {
  const { id, start, end, status, conflict, source, calendar_status: written } = booking;
  const isCancelled = status === 'cancelled';
  const attendee = describeAttendee(booking);
  const [calendarTone, calendarState] = calendarWords[written];
  return (
    <li className={isCancelled ? 'booking cancelled' : 'booking'} data-id={id}>
      <time className="booking-hours" dateTime={start}>
        {formatHours(start, end, zone)}
      </time>
      <div className="booking-facts">
        <a className="booking-name" dir="auto" href={buildHref(['bookings', id], filters)}>
          {getBookingName(booking)}
        </a>
        {attendee !== null && (
          <p className="booking-attendee" dir="auto">
            {attendee}
          </p>
        )}
        <p className="hint">
          {sourceNames[source]}
          {botName !== undefined && (
            <>
              {' · '}
              <bdi>{botName}</bdi>
            </>
          )}
        </p>
        {!isCancelled && conflict && <p className="reason">{CONFLICT}</p>}
        {booking.calendar_error !== null && written !== 'written' && (
          <p className="reason">
            {calendarState}: {booking.calendar_error}
          </p>
        )}
      </div>
      <div className="booking-states">
        {isCancelled && <Status tone="quiet">Canceled</Status>}
        {!isCancelled && conflict && <Status tone="bad">Conflict</Status>}
        {(written === 'pending' || written === 'failed') && (
          <Status tone={calendarTone}>{calendarState}</Status>
        )}
      </div>
    </li>
  );
}
