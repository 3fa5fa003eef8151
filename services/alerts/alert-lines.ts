import type { Line } from '../../adapters/messaging/message-content.ts';
import { labelled } from '../../core/languages.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { AlertFacts, FactIds } from '../../repositories/alerts/alert-facts.repository.ts';
import type { AlertEvent } from './alert-events.ts';
import { alertWords, type AlertWords } from './alert-words.ts';
import { printable, shortened, shownName, timeText, type ReadersClock } from './messages/shown-text.ts';

const LONGEST_TEXT = 200;

/** What an alert says besides its name, and where to look; null where there is no use in telling it any more. */
interface Told {
  details: (string | null | undefined)[];
  place: readonly string[];
}

interface Telling {
  facts: AlertFacts;
  ids: FactIds;
  words: AlertWords;
  clock: ReadersClock;
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
        reason && telling.words.quoted(shortened(reason, LONGEST_TEXT)),
      ],
      place: ['inbox', conversation.id],
    };
  },
  'webhook.disabled': ({ facts, ids }) => {
    const webhook = facts.webhooks.get(ids['webhook_id'] ?? '');
    if (!webhook || webhook.isActive) return null;
    return {
      details: [pickHost(webhook.url), webhook.lastError && shortened(webhook.lastError, LONGEST_TEXT)],
      place: ['webhooks'],
    };
  },
  'calendar.failing': ({ facts, ids, words }) => {
    const connection = facts.connections.get(ids['connection_id'] ?? '');
    if (!connection || connection.health === 'healthy') return null;
    const said = connection.lastError && shortened(connection.lastError, LONGEST_TEXT);
    return {
      details: [connection.accountEmail, connection.health === 'reconnect_needed' ? words.reconnect : said],
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
      details: [botOf(telling), telling.words.roles[message.role], shortened(message.content, LONGEST_TEXT)],
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
  clock: ReadersClock,
  linkTo: (place: readonly string[]) => string,
): Line | null {
  const { [clock.language]: words } = alertWords;
  const told = tellers[name]({ facts, ids, words, clock });
  if (!told) return null;
  const details = told.details.flatMap((detail) => (detail ? [printable(detail)] : []));
  const times = count > 1 ? ` ×${count}` : '';
  const rest = details.length > 0 ? labelled(clock.language, times, details.join(' · ')) : times;
  return [
    { text: words.events[name], isBold: true },
    { text: `${rest} ` },
    { text: words.open, link: linkTo(told.place) },
  ];
}

function botOf({ facts, ids }: Telling): string | null {
  const bot = facts.bots.get(ids['bot_id'] ?? '');
  return bot ? shownName(bot.name) : null;
}

function conversationOf({ facts, ids }: Telling) {
  return facts.conversations.get(ids['conversation_id'] ?? '');
}

function contactOf({ facts, ids }: Telling): Opened<Contact> | null {
  return facts.contacts.get(ids['contact_id'] ?? '') ?? null;
}

function visitorOf({ facts }: Telling, contactId: string | null): string | null {
  const name = contactId === null ? null : facts.contacts.get(contactId)?.name;
  return name ? shownName(name) : null;
}

function knownOf({ name, email, phone }: Opened<Contact>): string[] {
  return [name, email, phone].flatMap((detail) => (detail ? [shownName(detail)] : []));
}

function aboutConversation(telling: Telling): Told | null {
  const conversation = conversationOf(telling);
  if (!conversation) return null;
  return {
    details: [botOf(telling), conversation.title && shortened(conversation.title, LONGEST_TEXT)],
    place: ['conversations', conversation.id],
  };
}

function aboutDocument(telling: Telling, status: 'failed' | 'indexed'): Told | null {
  const document = telling.facts.documents.get(telling.ids['document_id'] ?? '');
  if (document?.status !== status) return null;
  const reason = status === 'failed' ? document.errorMessage : null;
  return {
    details: [shownName(document.title), reason && shortened(reason, LONGEST_TEXT), botOf(telling)],
    place: ['bots', document.botId, 'documents'],
  };
}

function aboutBooking(telling: Telling, isSo: (booking: Opened<Booking>) => boolean): Told | null {
  const booking = telling.facts.bookings.get(telling.ids['booking_id'] ?? '');
  if (!booking || !isSo(booking)) return null;
  const { summary, attendeeName, startsAt } = booking;
  return {
    details: [
      timeText(startsAt, telling.clock, 'date'),
      shortened(summary, LONGEST_TEXT),
      attendeeName && shownName(attendeeName),
    ],
    place: ['bookings'],
  };
}

/** The rest of a URL may hold what only its receiver should know. */
function pickHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is none';
}
