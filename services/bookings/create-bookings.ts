import { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import { CalendarConnectionRepository } from '../../repositories/bookings/calendar-connection.repository.ts';
import { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import { AnswerRepository } from '../../repositories/conversations/answer.repository.ts';
import { ConversationRepository } from '../../repositories/conversations/conversation.repository.ts';
import { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { FlowSessionRepository } from '../../repositories/flows/flow-session.repository.ts';
import { RateWindowRepository } from '../../repositories/requests/rate-window.repository.ts';
import { FlowCalendar } from '../flows/flow-calendar.ts';
import { FlowBookings } from '../flows/running/flow-bookings.ts';
import type { RecipientLimits } from '../mail/senders/recipient-limits.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';
import { BookingOffers } from './booking-offers.ts';
import { BookingWriter } from './booking-writer.ts';
import { BookingService } from './booking-service.ts';
import { CalendarConnectionService } from './calendar-connection-service.ts';
import type { createCalendars } from './calendars/create-calendars.ts';
import { MeetingLinks } from './meeting-links.ts';
import { SlotService } from './slot-service.ts';
import { VisitorBookingService } from './visitor-booking-service.ts';

/** Creates the services that offer free slots and manage bookings. */
export function createBookings(
  { settings, clock, database, keyring }: ServiceDeps,
  {
    bots,
    outbox,
    busyTimes,
    calendarLists,
    calendarHealth,
    recipientLimits: recipients,
  }: SharedDeps & ReturnType<typeof createCalendars> & { recipientLimits: RecipientLimits },
) {
  const connections = new CalendarConnectionRepository();
  const bookings = new BookingRepository();
  const calendarConnections = new CalendarConnectionService({
    connections,
    listCalendars: (scope, connection) => calendarLists.listCalendars(scope, connection),
    onChanged: (scope, connection) => calendarHealth.requestSync(scope, connection),
    onBusyRulesChanged: (scope, connection) => busyTimes.deleteStored(scope, connection),
  });
  const slots = new SlotService({
    connections,
    bookings,
    busyTimes,
    checkCalendars: (scope, changes) => calendarConnections.checkCalendars(scope, changes, 'query'),
    clock,
    settings,
  });
  const writer = new BookingWriter({ bookings, outbox });
  return {
    slots,
    bookingOffers: new BookingOffers({ connections, settings }),
    bookings: new BookingService({ bookings, slots, writer, recipients, clock }),
    visitorBookings: new VisitorBookingService({
      bookings,
      bots,
      conversations: new ConversationRepository(),
      contacts: new ContactRepository(),
      messages: new MessageRepository(),
      rateWindows: new RateWindowRepository(database),
      outbox,
      slots,
      writer,
      recipients,
      flows: new FlowBookings({ answers: new AnswerRepository(), sessions: new FlowSessionRepository() }),
      clock,
      settings,
    }),
    flowCalendar: new FlowCalendar({ bookings, connections, slots, clock }),
    calendarConnections,
    meetingLinks: new MeetingLinks({ keyring, baseUrl: settings.baseUrl }),
  };
}
