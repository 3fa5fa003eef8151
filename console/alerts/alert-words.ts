import type { AlertEvent, AlertPolicy } from '../client/types.ts';

export type AlertChannel = 'telegram' | 'whatsapp';
export type Intensity = NonNullable<AlertPolicy['intensity']>;

export const channelNames: Readonly<Record<AlertChannel, string>> = {
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
};

/** What is told at once, in the words of the form. */
export const intensities: Readonly<Record<Intensity, string>> = {
  critical: 'Only what cannot wait',
  leads: 'Leads and bookings as well',
  all: 'Everything that happens',
  digest: 'Nothing at once: all of it is summed up',
  off: 'Nothing: it is switched off',
};

/** The same where the others do not stand beside it. */
const intensityTexts: Readonly<Record<Intensity, string>> = {
  ...intensities,
  leads: 'What cannot wait, leads and bookings',
  digest: 'Nothing: all of it is summed up',
};

/** From which intensity on an event is told at once; null for one that is told only where it is named. */
type TellsFrom = 'critical' | 'leads' | 'all' | null;

/** Events in plain words, in the order of how pressing they are. */
export const alertEvents: Readonly<Record<AlertEvent, readonly [TellsFrom, string]>> = {
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
  'conversation.started': ['all', 'a conversation has begun'],
  'conversation.ended': ['all', 'a conversation has ended'],
  'contact.updated': ['all', 'a contact has changed'],
  'message.created': [null, 'a message was written'],
};

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const names = Object.keys(alertEvents) as AlertEvent[];

/** What an intensity tells at once. */
export function eventsOf(intensity: Intensity): AlertEvent[] {
  const levels = ['critical', 'leads', 'all'];
  const upTo = levels.indexOf(intensity);
  return names.filter((name) => {
    const [from] = alertEvents[name];
    return from !== null && levels.indexOf(from) <= upTo;
  });
}

/** What an event is called here; one that this console does not know, by its name. */
export function eventText(event: string): string {
  return names.find((name) => name === event) === undefined ? event : alertEvents[event as AlertEvent][1];
}

/** Some of them in one line. */
export function listText(events: readonly string[]): string {
  const text = events.map(eventText).join(', ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

export function tellsText({ intensity, events }: Pick<AlertPolicy, 'intensity' | 'events'>): string {
  if (intensity === 'off' || events === null) return intensityTexts[intensity];
  const list = listText(events);
  return intensity === 'digest' ? `Nothing; summed up is: ${list}` : list;
}

export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Null where there is none. */
export function digestText(policy: AlertPolicy): string | null {
  const { intensity, digest, digest_hour: hour, digest_weekday: weekday, timezone } = policy;
  if (intensity === 'off' || digest === 'none') return null;
  const day = digest === 'daily' ? 'Every day' : `Every ${weekdays[weekday]}`;
  return `${day} at ${hourText(hour)} (${timezone})`;
}

/** What people call a policy. */
export function policyName({ label, destination_name: name, destination }: AlertPolicy): string {
  return label || (name ?? destination);
}

/** Where it goes, as its person knows it and as it is addressed. */
export function placeText(destination: string, name: string | null): string {
  return name === null || name === '' ? destination : `${name} (${destination})`;
}
