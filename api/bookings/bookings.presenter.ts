import type { Opened } from '../../database/sealed-columns.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import type { BookingInput } from '../../services/bookings/booking-service.ts';
import type { BookingOffer } from '../../services/bookings/booking-offers.ts';
import type { MeetingLinks } from '../../services/bookings/meeting-links.ts';
import type { OfferedSlot } from '../../services/bookings/slot-service.ts';
import type { BookingRead, BookRequest } from './bookings.schemas.ts';

export function presentBooking(booking: Opened<Booking>): BookingRead {
  return {
    id: booking.id,
    status: booking.status,
    start: booking.startsAt.toISOString(),
    end: booking.endsAt.toISOString(),
    timezone: booking.timezone,
    attendee_timezone: booking.attendeeTimezone,
    summary: booking.summary,
    description: booking.description,
    attendee_name: booking.attendeeName,
    attendee_email: booking.attendeeEmail,
    bot_id: booking.botId,
    conversation_id: booking.conversationId,
    contact_id: booking.contactId,
    source: booking.source,
    calendar_status: booking.calendarStatus,
    calendar_error: booking.calendarError,
    conflict: booking.hasConflict,
    cancelled_at: booking.cancelledAt?.toISOString() ?? null,
    cancelled_by: booking.cancelledBy,
    created_at: booking.createdAt.toISOString(),
    updated_at: booking.updatedAt.toISOString(),
    manage_url: null,
    ics_url: null,
  };
}

/**
 * Presents a booking with the attendee's links, by which anyone can cancel the booking. Only for callers who
 * may cancel bookings.
 */
export function presentWithLinks(booking: Opened<Booking>, links: MeetingLinks): BookingRead {
  return {
    ...presentBooking(booking),
    manage_url: links.buildPageUrl(booking.id),
    ics_url: links.buildFileUrl(booking.id),
  };
}

/**
 * Presents a booking to the visitor who booked it, without ids and errors that concern only the workspace.
 */
export function presentToVisitor(booking: Opened<Booking>, links: MeetingLinks): BookingRead {
  return {
    ...presentWithLinks(booking, links),
    bot_id: null,
    conversation_id: null,
    contact_id: null,
    calendar_error: null,
  };
}

export function presentOffer(offer: BookingOffer | null) {
  return (
    offer && {
      slot_minutes: offer.slotMinutes,
      timezone: offer.timezone,
      horizon_days: offer.horizonDays,
    }
  );
}

export function presentSlot({ start, end, localStart }: OfferedSlot) {
  return { start, end, local_start: localStart };
}

export function toBookingInput(body: BookRequest, timezone: string | undefined): BookingInput {
  return {
    start: new Date(body.start),
    summary: body.summary,
    description: body.description ?? null,
    attendeeName: body.attendee_name ?? null,
    attendeeEmail: body.attendee_email ?? null,
    attendeeTimezone: timezone ?? null,
  };
}
