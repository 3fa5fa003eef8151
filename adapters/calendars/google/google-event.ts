import { eventIdOf } from '../../../core/bookings/event-id.ts';
import type { CalendarEvent, TimeRange } from '../calendar-provider.ts';
import { asObject, asObjects, asText, type JsonObject } from './google-json.ts';

/** Private to us: tells events of a workspace from everything else, and from those of other workspaces. */
export const OWNER_PROPERTY = 'parleyWorkspace';
const BOOKING_PROPERTY = 'parleyBooking';

export function googleEvent(event: CalendarEvent): JsonObject {
  const { bookingId, orgId, start, end, timezone, summary, description } = event;
  return {
    id: eventIdOf(bookingId),
    status: 'confirmed',
    summary,
    description,
    start: { dateTime: start.toISOString(), timeZone: timezone },
    end: { dateTime: end.toISOString(), timeZone: timezone },
    transparency: 'opaque',
    extendedProperties: { private: { [OWNER_PROPERTY]: orgId, [BOOKING_PROPERTY]: bookingId } },
  };
}

/** Whether it takes its owner's time. */
export function isOpaque(item: JsonObject): boolean {
  const hasDeclined = asObjects(item['attendees']).some(
    (attendee) => attendee['self'] === true && attendee['responseStatus'] === 'declined',
  );
  const isPlace = item['eventType'] === 'workingLocation' || item['eventType'] === 'birthday';
  return item['status'] !== 'cancelled' && item['transparency'] !== 'transparent' && !hasDeclined && !isPlace;
}

/** Of whole days it is from midnight to midnight (UTC), unless a zone is named. */
export function rangeOf(item: JsonObject): TimeRange | undefined {
  const start = timeIn(item['start']);
  const end = timeIn(item['end']);
  return start && end && end > start ? { start, end } : undefined;
}

function timeIn(value: unknown): Date | undefined {
  const { dateTime, date } = asObject(value);
  const text = asText(dateTime) ?? asText(date);
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time);
}
