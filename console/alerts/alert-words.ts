import { capitalize } from '../components/capitalize.ts';
import { formatHour } from '../components/format-hour.ts';
import type { AlertEvent, AlertPolicy } from '../client/types.ts';

export type AlertChannel = 'telegram' | 'whatsapp';
export type Intensity = NonNullable<AlertPolicy['intensity']>;

export const channelNames: Readonly<Record<AlertChannel, string>> = {
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
};

/** Labels of the intensities in the form, where each option builds on the one before it. */
export const intensities: Readonly<Record<Intensity, string>> = {
  critical: 'Only what cannot wait',
  leads: 'Leads and bookings as well',
  all: 'Everything that happens',
  digest: 'Nothing at once: all of it is summed up',
  off: 'Nothing: it is switched off',
};

/** Labels of the intensities outside the form, where each label must be clear on its own. */
const intensityTexts: Readonly<Record<Intensity, string>> = {
  ...intensities,
  leads: 'What cannot wait, leads and bookings',
  digest: 'Nothing: all of it is summed up',
};

/** Lowest intensity that sends an event at once. Null for an event that is sent only if a policy lists it. */
type MinIntensity = 'critical' | 'leads' | 'all' | null;

/** Lowest intensity and description of each event, most urgent first. */
export const alertEvents: Readonly<Record<AlertEvent, readonly [MinIntensity, string]>> = {
  'handoff.requested': ['critical', 'a visitor waits for a person'],
  'webhook.disabled': ['critical', 'a webhook endpoint was disabled'],
  'calendar.failing': ['critical', 'the calendar cannot be reached'],
  'usage.limit_reached': ['critical', 'a limit is reached'],
  'lead.captured': ['leads', 'a visitor has left contact details'],
  'booking.created': ['leads', 'a meeting was booked'],
  'booking.cancelled': ['leads', 'a meeting was cancelled'],
  'booking.conflict': ['leads', 'a meeting overlaps with the calendar'],
  'document.failed': ['all', 'a document could not be indexed'],
  'document.indexed': ['all', 'a document is indexed'],
  'conversation.started': ['all', 'a conversation has started'],
  'conversation.ended': ['all', 'a conversation has ended'],
  'contact.updated': ['all', 'a contact has changed'],
  'message.created': [null, 'a message was written'],
};

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const names = Object.keys(alertEvents) as AlertEvent[];

/** Returns the events that an intensity sends at once. */
export function listImmediateEvents(intensity: Intensity): AlertEvent[] {
  const levels = ['critical', 'leads', 'all'];
  const upTo = levels.indexOf(intensity);
  return names.filter((name) => {
    const [from] = alertEvents[name];
    return from !== null && levels.indexOf(from) <= upTo;
  });
}

/** Returns the description of an event; the name of an event that this console does not know. */
export function describeAlertEvent(event: string): string {
  return names.find((name) => name === event) === undefined ? event : alertEvents[event as AlertEvent][1];
}

/** Joins the descriptions of events into one sentence. */
export function describeEvents(events: readonly string[]): string {
  const text = events.map(describeAlertEvent).join(', ');
  return capitalize(text);
}

export function describePolicyEvents({
  intensity,
  events,
}: Pick<AlertPolicy, 'intensity' | 'events'>): string {
  if (intensity === 'off' || events === null) return intensityTexts[intensity];
  const list = describeEvents(events);
  return intensity === 'digest' ? `Nothing; summed up is: ${list}` : list;
}

/** Describes when the summary of a policy is sent; null if it sends none. */
export function describeDigest(policy: AlertPolicy): string | null {
  const { intensity, digest, digest_hour: hour, digest_weekday: weekday, timezone } = policy;
  if (intensity === 'off' || digest === 'none') return null;
  const day = digest === 'daily' ? 'Every day' : `Every ${weekdays[weekday]}`;
  return `${day} at ${formatHour(hour)} (${timezone})`;
}

export function getPolicyName({ label, destination_name: name, destination }: AlertPolicy): string {
  return label || (name ?? destination);
}

/** Formats a destination as its name and address. */
export function formatDestination(destination: string, name: string | null): string {
  return name === null || name === '' ? destination : `${name} (${destination})`;
}
