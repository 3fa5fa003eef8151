import { path } from '../../client/paths.ts';
import type { Booking, ContactRead } from '../../client/types.ts';
import { useBotNames } from '../../bots/use-bots.ts';
import { useLoad } from '../../state/use-load.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { LinkedText } from '../../components/linked-text.tsx';
import { SafeLink } from '../../components/safe-link.tsx';
import { TimeText } from '../../components/time-text.tsx';
import {
  getBookingName,
  calendarStatusNames,
  cancellerNames,
  CONFLICT,
  sourceNames,
} from '../booking-words.ts';
import { getLocalDay, formatDay, formatHours, toKnownZone } from '../times.ts';

export interface BookingFactsProps {
  booking: Booking;
  zone: string;
}

export function BookingFacts({ booking, zone }: BookingFactsProps) {
  const { status, attendee_email: email, attendee_timezone: attendeeZone, bot_id: botId } = booking;
  const botName = useBotNames().get(botId ?? '');
  const isCancelled = status === 'cancelled';
  return (
    <>
      {!isCancelled && booking.conflict && (
        <p className="problem">
          <Badge state="conflict" /> {CONFLICT}
        </p>
      )}
      <Facts
        facts={[
          ['Subject', getBookingName(booking)],
          ['When', formatWhen(booking, zone)],
          [
            'Attendee’s time',
            attendeeZone !== null && attendeeZone !== zone
              ? formatWhen(booking, toKnownZone(attendeeZone))
              : null,
          ],
          ['Status', <Badge key="status" state={status} />],
          ['Canceled', isCancelled ? <Cancelled key="cancelled" booking={booking} /> : null],
          ['Name', booking.attendee_name],
          ['Email', email && <SafeLink href={`mailto:${encodeURIComponent(email)}`}>{email}</SafeLink>],
          ['Description', booking.description && <LinkedText text={booking.description} />],
          ['Calendar', calendarStatusNames[booking.calendar_status]],
          ['Calendar error', booking.calendar_error],
          ['Booked by', sourceNames[booking.source]],
          ['Bot', botId && <a href={buildHref(['bots', botId])}>{botName ?? 'The bot'}</a>],
          ['Conversation', booking.conversation_id && <ConversationLink id={booking.conversation_id} />],
          ['Contact', booking.contact_id && <ContactLink id={booking.contact_id} />],
          ['Attendee’s page', booking.manage_url && <SafeLink href={booking.manage_url}>Open</SafeLink>],
          ['Calendar file', booking.ics_url && <SafeLink href={booking.ics_url}>Open</SafeLink>],
          ['Booked', <TimeText key="booked" at={booking.created_at} />],
          ['Last changed', <TimeText key="changed" at={booking.updated_at} />],
        ]}
      />
    </>
  );
}

function Cancelled({ booking: { cancelled_at: at, cancelled_by: by } }: { booking: Booking }) {
  return (
    <>
      <TimeText at={at} /> {by !== null && cancellerNames[by]}
    </>
  );
}

function ConversationLink({ id }: { id: string }) {
  return <a href={buildHref(['conversations', id])}>View conversation</a>;
}

/** Link to the contact's conversations, where the details of the contact are shown. */
function ContactLink({ id }: { id: string }) {
  const { client } = useSession();
  const { data: contact } = useLoad(
    (signal) => client.get<ContactRead>(path`/api/contacts/${id}`, signal),
    [client, id],
  );
  return (
    <a href={buildHref(['conversations'], { contact_id: id })}>
      {contact?.name ?? contact?.email ?? 'The contact’s conversations'}
    </a>
  );
}

function formatWhen({ start, end }: Booking, zone: string): string {
  return `${formatDay(getLocalDay(start, zone))}, ${formatHours(start, end, zone)} (${zone})`;
}
