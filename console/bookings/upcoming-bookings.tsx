import { useMemo, type ReactNode } from 'react';
import { withQuery } from '../client/paths.ts';
import type { Booking } from '../client/types.ts';
import { useApi } from '../state/use-api.ts';
import { buildHref } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';
import { getBookingName } from './booking-words.ts';
import { getLocalDay, formatDay, formatHours, toKnownZone } from './times.ts';

export interface UpcomingBookingsProps {
  /** Bot of the conversation: only its bookings are shown. */
  botId: string;
  /** Conversation whose bookings are also shown; undefined to show only the bookings of the contact. */
  conversationId?: string;
  /** Contact of the visitor; null if the visitor has none. */
  contactId: string | null;
  /** Renders the section of the page around the list of bookings. */
  children(bookings: ReactNode): ReactNode;
}

const DAY_MS = 86_400_000;
/**
 * Number of past days whose bookings are listed. The list mainly shows upcoming bookings. Together with
 * `DAYS_AHEAD`, it covers at most 92 days, the API's maximum.
 */
const DAYS_AGO = 1;
const DAYS_AHEAD = 91;

/** Lists the upcoming bookings of a conversation's visitor; renders nothing if the visitor has none. */
export function UpcomingBookings(props: UpcomingBookingsProps) {
  return usePermission()('bookings:read', 'viewer') ? <Upcoming {...props} /> : null;
}

function Upcoming({ botId, conversationId, contactId, children }: UpcomingBookingsProps) {
  const url = useMemo(() => {
    const [from, to] = [-DAYS_AGO, DAYS_AHEAD].map((days) =>
      new Date(Date.now() + days * DAY_MS).toISOString(),
    );
    return withQuery('/api/bookings', { from, to, bot_id: botId });
  }, [botId, conversationId]);
  const { data = [] } = useApi<Booking[]>(url);
  const known = data.filter(
    (booking) =>
      booking.conversation_id === conversationId || (contactId !== null && booking.contact_id === contactId),
  );
  if (known.length === 0) return null;
  return children(
    <ul className="panel-list">
      {known.map((booking) => (
        <li key={booking.id}>
          <a className="cell-link" dir="auto" href={buildHref(['bookings', booking.id])}>
            {getBookingName(booking)}
          </a>
          <p className="cell-note">
            {formatWhen(booking)}
            {booking.status === 'cancelled' && ' · Canceled'}
          </p>
        </li>
      ))}
    </ul>,
  );
}

function formatWhen({ start, end, timezone }: Booking): string {
  const zone = toKnownZone(timezone);
  return `${formatDay(getLocalDay(start, zone))}, ${formatHours(start, end, zone)}`;
}
