import type { EventData, EventName } from '../webhooks/event-catalog.ts';

/**
 * Events that only alerts report, with their data. Webhook endpoints cannot subscribe to them. The data
 * consist of ids only.
 */
type AlertOnlyEventData = {
  'booking.created': BookingIds;
  'booking.cancelled': BookingIds;
  /** The calendar contains another event at the time of a booking. */
  'booking.conflict': BookingIds;
  'calendar.failing': { connection_id: string };
  'usage.limit_reached': { bot_id: string | null };
  'webhook.disabled': { webhook_id: string };
};

type BookingIds = { booking_id: string; conversation_id: string | null; contact_id: string | null };

/** Names of all events that the outbox accepts. `OutboxEventData` defines the data of each event. */
export type OutboxEventName = EventName | keyof AlertOnlyEventData;
export type OutboxEventData = {
  [E in OutboxEventName]: E extends EventName
    ? EventData[E]
    : AlertOnlyEventData[E & keyof AlertOnlyEventData];
};

/** Events that each level of an alert policy's intensity adds to the previous level, most urgent first. */
const addedEvents = {
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

/**
 * Levels that define which events an alert policy reports immediately. `digest` reports no event immediately;
 * its digests report all events.
 */
export const intensities = ['off', 'critical', 'leads', 'all', 'digest'] as const;
export type Intensity = (typeof intensities)[number];

/** Events that each level of an alert policy's intensity reports immediately. */
export const eventsByIntensity: Readonly<Record<Intensity, readonly OutboxEventName[]>> = {
  off: [],
  critical: addedEvents.critical,
  leads: [...addedEvents.critical, ...addedEvents.leads],
  all: [...addedEvents.critical, ...addedEvents.leads, ...addedEvents.all],
  digest: [],
};

/**
 * Events that an alert policy may select by name. `message.created` is only reported if it is selected by
 * name.
 */
export const alertEvents: readonly OutboxEventName[] = [...eventsByIntensity.all, 'message.created'];
export type AlertEvent = OutboxEventName;

export function isCritical(event: OutboxEventName): boolean {
  return addedEvents.critical.some((name) => name === event);
}

/** Finds the intensities of alert policies that report an event immediately. */
export function findIntensities(event: string): Intensity[] {
  return intensities.filter((intensity) => eventsByIntensity[intensity].some((name) => name === event));
}
