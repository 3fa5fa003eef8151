import { toCalendarText } from '../../../core/bookings/calendar-text.ts';
import { toEventId } from '../../../core/bookings/event-id.ts';
import { LocalClock } from '../../../core/local-clock.ts';
import type { BlockingKinds, CalendarEvent, TimeRange } from '../calendar-provider.ts';
import { asObject, type JsonObject } from '../../http/response-values.ts';
import { asObjects, asText } from './google-json.ts';

/**
 * Name of the private event property with the workspace id. The property distinguishes the events of this
 * workspace from all other events in the calendar.
 */
export const OWNER_PROPERTY = 'parleyWorkspace';
const BOOKING_PROPERTY = 'parleyBooking';

export function toGoogleEvent(event: CalendarEvent): JsonObject {
  const { bookingId, orgId, start, end, timezone, summary, description } = event;
  return {
    id: toEventId(bookingId),
    status: 'confirmed',
    summary: toCalendarText(summary),
    description: toCalendarText(description),
    start: { dateTime: start.toISOString(), timeZone: timezone },
    end: { dateTime: end.toISOString(), timeZone: timezone },
    transparency: 'opaque',
    extendedProperties: { private: { [OWNER_PROPERTY]: orgId, [BOOKING_PROPERTY]: bookingId } },
  };
}

/** Returns whether an event of a Google calendar makes the calendar's owner busy. */
export function isOpaque(
  item: JsonObject,
  { doAllDayEventsBlock, doUnansweredInvitationsBlock }: BlockingKinds,
): boolean {
  const own = asObjects(item['attendees']).find((attendee) => attendee['self'] === true);
  const hasDeclined = own?.['responseStatus'] === 'declined';
  const isUnanswered = own?.['responseStatus'] === 'needsAction' && own['organizer'] !== true;
  const isAllDay = asText(asObject(item['start'])['date']) !== null;
  if ((isAllDay && !doAllDayEventsBlock) || (isUnanswered && !doUnansweredInvitationsBlock)) return false;
  const isInformational = item['eventType'] === 'workingLocation' || item['eventType'] === 'birthday';
  return (
    item['status'] !== 'cancelled' &&
    item['transparency'] !== 'transparent' &&
    !hasDeclined &&
    !isInformational
  );
}

/**
 * Returns start and end of a Google event.
 * @param timezone time zone of the calendar; all-day events last from midnight to midnight in this time zone
 */
export function readGoogleRange(item: JsonObject, timezone: string): TimeRange | undefined {
  const start = parseGoogleTime(item['start'], timezone);
  const end = parseGoogleTime(item['end'], timezone);
  return start && end && end > start ? { start, end } : undefined;
}

function parseGoogleTime(value: unknown, timezone: string): Date | undefined {
  const { dateTime, date } = asObject(value);
  const time = Date.parse(asText(dateTime) ?? asText(date) ?? '');
  if (Number.isNaN(time)) return undefined;
  return new Date(asText(dateTime) === null ? new LocalClock(timezone).findFirstInstant(time) : time);
}
