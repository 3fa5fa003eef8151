import { CalendarConnectionRepository } from '../../repositories/bookings/calendar-connection.repository.ts';
import { FollowedBookingRepository } from '../../repositories/bookings/followed-booking.repository.ts';
import { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { RecipientLimits } from '../mail/senders/recipient-limits.ts';
import type { SenderChecks } from '../mail/senders/sender-checks.ts';
import type { TeamNotices } from '../mail/notices/team-notices.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';
import { AttendeeFactsReader } from './attendees/attendee-facts.ts';
import { AttendeeMeetings } from './attendees/attendee-meetings.ts';
import { AttendeeMails } from './attendees/attendee-mails.ts';
import { BookingLifecycle } from './booking-lifecycle.ts';
import type { BookingService } from './booking-service.ts';
import { BookingNotices } from './booking-notices.ts';
import type { CalendarEvents } from './calendars/calendar-events.ts';
import { StalledBookings } from './stalled-bookings.ts';

interface BookingLifecycleServices extends Pick<SharedDeps, 'outbox'> {
  mail: MailService;
  teamNotices: TeamNotices;
  bookings: BookingService;
  calendarEvents: Pick<CalendarEvents, 'write' | 'remove'>;
  senderChecks: SenderChecks;
  recipientLimits: RecipientLimits;
}

/** Creates the services that process a booking after its row is written. */
export function createBookingLifecycle(
  deps: ServiceDeps,
  {
    bookings,
    outbox,
    mail,
    teamNotices,
    calendarEvents,
    senderChecks: senders,
    recipientLimits,
  }: BookingLifecycleServices,
) {
  const rows = new FollowedBookingRepository();
  const bots = new BotRepository();
  const facts = new AttendeeFactsReader({ rows, bots, messages: new MessageRepository(), senders });
  const attendeeMails = new AttendeeMails({
    ...deps,
    rows,
    facts,
    mail,
    outbox,
    recipients: recipientLimits,
  });
  const notices = new BookingNotices({ rows, connections: new CalendarConnectionRepository(), teamNotices });
  return {
    attendeeMeetings: new AttendeeMeetings({
      rows,
      facts,
      attendeeMails,
      keyring: deps.keyring,
      cancel: (scope, id) => bookings.cancel(scope, id, 'attendee'),
    }),
    bookingLifecycle: new BookingLifecycle({ rows, attendeeMails, notices, events: calendarEvents }),
    stalledBookings: new StalledBookings({ rows, outbox, log: deps.log }),
  };
}
