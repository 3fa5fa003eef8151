import type { Line } from '../../adapters/messaging/message-content.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { localTimeAt } from '../../core/local-time.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { AlertFacts, FactIds } from '../../repositories/alerts/alert-facts.repository.ts';
import type { AlertEvent } from './alert-events.ts';
import { hostOf } from './host-of.ts';
import type { AlertWords } from './alert-words.ts';

const LONGEST_TEXT = 200;
const LONGEST_NAME = 80;
/** Whatever could end a line, or turn the reading direction around. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** What an alert says besides its name, and where to look; null where there is no use in telling it any more. */
interface Told {
  details: (string | null | undefined)[];
  place: readonly string[];
}

interface Telling {
  facts: AlertFacts;
  ids: FactIds;
  words: AlertWords;
}

type Teller = (telling: Telling) => Told | null;

const tellers: Readonly<Record<AlertEvent, Teller>> = {
  'handoff.requested': (telling) => {
    const conversation = conversationOf(telling);
    if (conversation?.status !== 'waiting_human') return null;
    const reason = conversation.handoffReason;
    return {
      details: [
        botOf(telling),
        visitorOf(telling, conversation.contactId),
        reason && `“${shortened(reason)}”`,
      ],
      place: ['inbox', conversation.id],
    };
  },
  'webhook.disabled': ({ facts, ids }) => {
    const webhook = facts.webhooks.get(ids['webhook_id'] ?? '');
    if (!webhook || webhook.isActive) return null;
    return { details: [hostOf(webhook.url), webhook.lastError], place: ['webhooks'] };
  },
  'calendar.failing': ({ facts, ids, words }) => {
    const connection = facts.connections.get(ids['connection_id'] ?? '');
    if (!connection || connection.health === 'healthy') return null;
    const hint = connection.health === 'reconnect_needed' ? words.reconnect : null;
    return {
      details: [connection.accountEmail, hint ?? connection.lastError],
      place: ['bookings', 'calendar'],
    };
  },
  'usage.limit_reached': (telling) => ({ details: [botOf(telling)], place: ['bots'] }),
  'lead.captured': (telling) => {
    const contact = contactOf(telling);
    if (!contact) return null;
    const { conversation_id: conversationId } = telling.ids;
    return {
      details: [...knownOf(contact), botOf(telling)],
      place: conversationId === undefined ? ['conversations'] : ['conversations', conversationId],
    };
  },
  'booking.created': (telling) => aboutBooking(telling, (booking) => booking.status === 'confirmed'),
  'booking.cancelled': (telling) =>
    aboutBooking(telling, ({ status, cancelledBy }) => status === 'cancelled' && cancelledBy !== 'erasure'),
  'booking.conflict': (telling) =>
    aboutBooking(telling, ({ status, hasConflict }) => status === 'confirmed' && hasConflict),
  'document.failed': (telling) => aboutDocument(telling, 'failed'),
  'document.indexed': (telling) => aboutDocument(telling, 'indexed'),
  'conversation.started': (telling) => aboutConversation(telling),
  'conversation.ended': (telling) => aboutConversation(telling),
  'contact.updated': (telling) => {
    const contact = contactOf(telling);
    return contact && { details: [...knownOf(contact), botOf(telling)], place: ['conversations'] };
  },
  'message.created': (telling) => {
    const { facts, ids } = telling;
    const message = facts.messages.get(ids['message_id'] ?? '');
    if (!message || message.content === '') return null;
    return {
      details: [botOf(telling), message.role, shortened(message.content)],
      place: ['conversations', message.conversationId],
    };
  },
};

export interface TellableAlert {
  name: AlertEvent;
  ids: FactIds;
  /** How often it has happened. */
  count: number;
}

/** The line of an alert by what is known now; null where there is nothing to tell any more. */
export function alertLine(
  { name, ids, count }: TellableAlert,
  facts: AlertFacts,
  words: AlertWords,
  linkTo: (place: readonly string[]) => string,
): Line | null {
  const told = tellers[name]({ facts, ids, words });
  if (!told) return null;
  const details = told.details.filter((detail) => !!detail).map((detail) => printable(detail!));
  return [
    { text: words.events[name], isBold: true },
    { text: `${count > 1 ? ` ×${count}` : ''}${details.length > 0 ? `: ${details.join(' · ')}` : ''} ` },
    { text: words.open, link: linkTo(told.place) },
  ];
}

export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, ' ').trim();
}

function shortened(text: string, most = LONGEST_TEXT): string {
  const line = printable(text);
  return line.length <= most ? line : `${cutText(line, most - 1)}…`;
}

function botOf({ facts, ids }: Telling): string | null {
  const bot = facts.bots.get(ids['bot_id'] ?? '');
  return bot ? shortened(bot.name, LONGEST_NAME) : null;
}

function conversationOf({ facts, ids }: Telling) {
  return facts.conversations.get(ids['conversation_id'] ?? '');
}

function contactOf({ facts, ids }: Telling): Contact | null {
  return facts.contacts.get(ids['contact_id'] ?? '') ?? null;
}

function visitorOf({ facts, words }: Telling, contactId: string | null): string {
  const name = contactId === null ? null : facts.contacts.get(contactId)?.name;
  return name ? shortened(name, LONGEST_NAME) : words.visitor;
}

function knownOf({ name, email, phone }: Contact): string[] {
  return [name, email, phone].flatMap((detail) => (detail ? [shortened(detail, LONGEST_NAME)] : []));
}

function aboutConversation(telling: Telling): Told | null {
  const conversation = conversationOf(telling);
  if (!conversation) return null;
  return {
    details: [botOf(telling), conversation.title && shortened(conversation.title)],
    place: ['conversations', conversation.id],
  };
}

function aboutDocument(telling: Telling, status: 'failed' | 'indexed'): Told | null {
  const document = telling.facts.documents.get(telling.ids['document_id'] ?? '');
  if (document?.status !== status) return null;
  const reason = status === 'failed' ? document.errorMessage : null;
  return {
    details: [shortened(document.title, LONGEST_NAME), reason && shortened(reason), botOf(telling)],
    place: ['bots', document.botId, 'documents'],
  };
}

function aboutBooking(telling: Telling, isSo: (booking: Booking) => boolean): Told | null {
  const booking = telling.facts.bookings.get(telling.ids['booking_id'] ?? '');
  if (!booking || !isSo(booking)) return null;
  const { summary, attendeeName, startsAt, timezone } = booking;
  return {
    details: [
      timeText(startsAt, timezone),
      shortened(summary),
      attendeeName && shortened(attendeeName, LONGEST_NAME),
    ],
    place: ['bookings'],
  };
}

/** As `2026-09-03 11:30`, which nobody takes for another day. */
export function timeText(instant: Date, zone: string): string {
  const { date, minutes } = localTimeAt(instant, zone);
  const two = (count: number) => String(count).padStart(2, '0');
  return `${date} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
