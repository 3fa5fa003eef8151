import type { EventData, EventName } from '../webhooks/event-catalogue.ts';

/** What is told by alerts alone: no endpoint can subscribe to it. All data are ids. */
type OwnEventData = {
  'booking.created': BookingIds;
  'booking.cancelled': BookingIds;
  /** The calendar has something else at the time of a booking. */
  'booking.conflict': BookingIds;
  'calendar.failing': { connection_id: string };
  'usage.limit_reached': { bot_id: string | null };
  'webhook.disabled': { webhook_id: string };
};

type BookingIds = { booking_id: string; conversation_id: string | null; contact_id: string | null };

/** The `data` of everything that the outbox takes as an event. */
export type OutboxEventName = EventName | keyof OwnEventData;
export type OutboxEventData = {
  [E in OutboxEventName]: E extends EventName ? EventData[E] : OwnEventData[E & keyof OwnEventData];
};

/** How much must have happened before a phone rings, the most pressing first. Each has those of the one before. */
const addedBy = {
  critical: ['handoff.requested', 'webhook.disabled', 'calendar.failing', 'usage.limit_reached'],
  leads: ['lead.captured', 'booking.created', 'booking.cancelled', 'booking.conflict'],
  all: [
    'document.failed',
    'document.indexed',
    'conversation.started',
    'conversation.ended',
    'contact.updated',
  ],
} as const satisfies Record<string, readonly OutboxEventName[]>;

/** `digest`: nothing at once, all of it summed up. */
export const intensities = ['off', 'critical', 'leads', 'all', 'digest'] as const;
export type Intensity = (typeof intensities)[number];

/** Which events each intensity tells of at once. */
export const eventsOf: Readonly<Record<Intensity, readonly OutboxEventName[]>> = {
  off: [],
  critical: addedBy.critical,
  leads: [...addedBy.critical, ...addedBy.leads],
  all: [...addedBy.critical, ...addedBy.leads, ...addedBy.all],
  digest: [],
};

/** What a policy may name; `message.created` comes by no intensity. */
export const alertEvents: readonly OutboxEventName[] = [...eventsOf.all, 'message.created'];
export type AlertEvent = OutboxEventName;

export function isCritical(event: OutboxEventName): boolean {
  return addedBy.critical.some((name) => name === event);
}

/** The intensities that tell of an event at once. */
export function intensitiesOf(event: string): Intensity[] {
  return intensities.filter((intensity) => eventsOf[intensity].some((name) => name === event));
}
