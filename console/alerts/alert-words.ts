import { capitalize } from '../components/text/capitalize.ts';
import { formatHour } from '../components/text/format-hour.ts';
import type { AlertEvent, AlertPolicy } from '../client/types.ts';

export type AlertChannel = 'telegram' | 'whatsapp';
export type Intensity = NonNullable<AlertPolicy['intensity']>;

export const channelNames: Readonly<Record<AlertChannel, string>> = {
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
};

/**
 * Labels of the intensities of an alert policy. Each of the first three sends more events immediately than
 * the previous intensity.
 */
export const intensities: Readonly<Record<Intensity, string>> = {
  critical: 'Urgent only',
  leads: 'Urgent events, leads and bookings',
  all: 'Everything',
  digest: 'Summaries only',
  off: 'Off',
};

/**
 * Lowest intensity of an alert policy at which an event is sent immediately. Null for an event that is sent
 * only if a policy lists it.
 */
type MinIntensity = 'critical' | 'leads' | 'all' | null;

/** Lowest intensity at which each alert event is sent, and the event's description, most urgent first. */
export const alertEvents: Readonly<Record<AlertEvent, readonly [MinIntensity, string]>> = {
  'handoff.requested': ['critical', 'handoff requested'],
  'webhook.disabled': ['critical', 'webhook endpoint disabled'],
  'calendar.failing': ['critical', 'calendar unreachable'],
  'usage.limit_reached': ['critical', 'limit reached'],
  'lead.captured': ['leads', 'lead captured'],
  'booking.created': ['leads', 'meeting booked'],
  'booking.cancelled': ['leads', 'meeting canceled'],
  'booking.conflict': ['leads', 'calendar conflict found'],
  'document.failed': ['all', 'document failed'],
  'document.indexed': ['all', 'document ready'],
  'conversation.started': ['all', 'conversation started'],
  'conversation.ended': ['all', 'conversation ended'],
  'contact.updated': ['all', 'contact updated'],
  'message.created': [null, 'message sent'],
};

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const names = Object.keys(alertEvents) as AlertEvent[];

/** Returns the events that an alert policy of this intensity sends immediately. */
export function listImmediateEvents(intensity: Intensity): AlertEvent[] {
  const levels = ['critical', 'leads', 'all'];
  const upTo = levels.indexOf(intensity);
  return names.filter((name) => {
    const [from] = alertEvents[name];
    return from !== null && levels.indexOf(from) <= upTo;
  });
}

/** Returns the description of an alert event; the name of an event that this console does not know. */
export function describeAlertEvent(event: string): string {
  return names.find((name) => name === event) === undefined ? event : alertEvents[event as AlertEvent][1];
}

/** Joins the descriptions of alert events into a list that begins with a capital letter. */
export function describeEvents(events: readonly string[]): string {
  const text = events.map(describeAlertEvent).join(', ');
  return capitalize(text);
}

export function describePolicyEvents({
  intensity,
  events,
}: Pick<AlertPolicy, 'intensity' | 'events'>): string {
  if (intensity === 'off' || events === null) return intensities[intensity];
  const list = describeEvents(events);
  return intensity === 'digest' ? `Summaries only: ${list}` : list;
}

/** Describes when an alert policy's summary is sent; null if the policy sends no summary. */
export function describeDigest(policy: AlertPolicy): string | null {
  const { intensity, digest, digest_hour: hour, digest_weekday: weekday, timezone } = policy;
  if (intensity === 'off' || digest === 'none') return null;
  const day = digest === 'daily' ? 'Every day' : `Every ${weekdays[weekday]}`;
  return `${day} at ${formatHour(hour)} (${timezone})`;
}

export function getPolicyName({ label, destination_name: name, destination }: AlertPolicy): string {
  return label || (name ?? destination);
}

/** Formats the destination of alerts as its name and its chat or phone number. */
export function formatDestination(destination: string, name: string | null): string {
  return name === null || name === '' ? destination : `${name} (${destination})`;
}
