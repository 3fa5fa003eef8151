import { Alert } from '@mantine/core';
import { path } from '../../client/paths.ts';
import type { Booking, Contact } from '../../client/types.ts';
import { useBotNames } from '../../bots/use-bots.ts';
import { useApi } from '../../state/use-api.ts';
import { buildHref } from '../../router.ts';
import { Facts } from '../../components/lists/facts.tsx';
import { LinkedText } from '../../components/text/linked-text.tsx';
import { SafeLink } from '../../components/text/safe-link.tsx';
import { Status } from '../../components/lists/status.tsx';
import { TimeText } from '../../components/text/time-text.tsx';
import { calendarWords, cancellerNames, CONFLICT, getBookingName, sourceNames } from '../booking-words.ts';
import { getLocalDay, formatDay, formatHours, toKnownZone } from '../times.ts';
import { useWorkflowLink } from '../../session/use-workflow-link.tsx';

export interface BookingFactsProps {
  booking: Booking;
  zone: string;
}

export function BookingFacts({ booking, zone }: BookingFactsProps) {
  const { status, attendee_email: email, attendee_timezone: attendeeZone, bot_id: botId } = booking;
  const botName = useBotNames().get(botId ?? '');
  const workflow = useWorkflowLink('booking', booking.id);
  const isCancelled = status === 'cancelled';
  return (
    <>
      {!isCancelled && booking.conflict && <Alert color="red">{CONFLICT}</Alert>}
      <Facts
        facts={[
          ['Subject', getBookingName(booking)],
          ['When', formatWhen(booking, zone)],
          [
            "Attendee's time",
            attendeeZone !== null && attendeeZone !== zone
              ? formatWhen(booking, toKnownZone(attendeeZone))
              : null,
          ],
          [
            'Status',
            <Status key="status" tone={isCancelled ? 'quiet' : 'good'}>
              {isCancelled ? 'Canceled' : 'Confirmed'}
            </Status>,
          ],
          ['Canceled', isCancelled ? <CancellationText key="cancelled" booking={booking} /> : null],
          ['Attendee', booking.attendee_name],
          ['Email', email && <SafeLink href={`mailto:${encodeURIComponent(email)}`}>{email}</SafeLink>],
          ['Description', booking.description && <LinkedText text={booking.description} />],
          ['Calendar', calendarWords[booking.calendar_status][1]],
          ['Calendar error', booking.calendar_error],
          ['Source', sourceNames[booking.source]],
          ['Bot', botId && <a href={buildHref(['bots', botId])}>{botName ?? 'The bot'}</a>],
          ['Conversation', booking.conversation_id && <ConversationLink id={booking.conversation_id} />],
          ['Contact', booking.contact_id && <ContactLink id={booking.contact_id} />],
          [
            "Attendee's page",
            booking.manage_url && <SafeLink href={booking.manage_url}>Change or cancel</SafeLink>,
          ],
          ['Calendar file', booking.ics_url && <SafeLink href={booking.ics_url}>Download</SafeLink>],
          ['Created', <TimeText key="booked" at={booking.created_at} />],
          ['Workflow', workflow],
          ['Updated', <TimeText key="changed" at={booking.updated_at} />],
        ]}
      />
    </>
  );
}

function CancellationText({ booking: { cancelled_at: at, cancelled_by: by } }: { booking: Booking }) {
  return (
    <>
      <TimeText at={at} /> {by !== null && cancellerNames[by]}
    </>
  );
}

function ConversationLink({ id }: { id: string }) {
  return <a href={buildHref(['conversations', id])}>View conversation</a>;
}

function ContactLink({ id }: { id: string }) {
  const { data: contact } = useApi<Contact>(path`/api/contacts/${id}`);
  return <a href={buildHref(['contacts', id])}>{contact?.name ?? contact?.email ?? 'View contact'}</a>;
}

function formatWhen({ start, end }: Booking, zone: string): string {
  return `${formatDay(getLocalDay(start, zone))}, ${formatHours(start, end, zone)} (${zone})`;
}
