import type { Language } from '../../core/languages.ts';
import type { AlertEvent } from './alert-events.ts';

/** What alerts are told in. Names and numbers are put in for `{…}`. */
export interface AlertWords {
  /** What has happened. */
  events: Readonly<Record<AlertEvent, string>>;
  open: string;
  more: string;
  lastOfDay: string;
  visitor: string;
  reconnect: string;
}

const en: AlertWords = {
  events: {
    'handoff.requested': 'Somebody is asked for',
    'webhook.disabled': 'Webhook endpoint disabled',
    'calendar.failing': 'Calendar not reached',
    'usage.limit_reached': 'Limit reached',
    'lead.captured': 'New lead',
    'booking.created': 'New booking',
    'booking.cancelled': 'Booking cancelled',
    'booking.conflict': 'Booking overlaps with the calendar',
    'document.failed': 'Document could not be read',
    'document.indexed': 'Document indexed',
    'conversation.started': 'Conversation started',
    'conversation.ended': 'Conversation ended',
    'contact.updated': 'Contact updated',
    'message.created': 'Message',
  },
  open: 'Open',
  more: '+{count} more',
  lastOfDay: 'This is the last message of today ({cap}). What else happens comes summed up at {time}.',
  visitor: 'a visitor',
  reconnect: 'It must be connected again.',
};

const words: Partial<Record<Language, AlertWords>> = { en };

export function wordsIn(language: Language): AlertWords {
  return words[language] ?? en;
}

export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
