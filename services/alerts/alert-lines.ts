import type { Line } from '../../adapters/messaging/message-content.ts';
import { formatLabeled } from '../../core/languages.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { AlertFacts, FactIds } from '../../repositories/alerts/alert-facts.repository.ts';
import type { AlertEvent } from './alert-events.ts';
import { alertWords, type AlertWords } from './alert-words.ts';
import {
  toPrintable,
  shortenText,
  shortenName,
  formatTime,
  type ReaderClock,
} from './messages/reader-text.ts';

const MAX_DETAIL_LENGTH = 200;

/** Details of an alert, and the console page to which its link leads. */
interface AlertDetails {
  details: (string | null | undefined)[];
  path: readonly string[];
}

interface LineContext {
  facts: AlertFacts;
  ids: FactIds;
  words: AlertWords;
  clock: ReaderClock;
}

/** Function that returns the details of an alert; null if the event is no longer relevant. */
type DetailWriter = (context: LineContext) => AlertDetails | null;

const detailWriters: Readonly<Record<AlertEvent, DetailWriter>> = {
  'handoff.requested': (context) => {
    const conversation = lookUpConversation(context);
    if (conversation?.status !== 'waiting_human') return null;
    const reason = conversation.handoffReason;
    return {
      details: [
        lookUpBotName(context),
        lookUpVisitorName(context, conversation.contactId),
        reason && context.words.quoted(shortenText(reason, MAX_DETAIL_LENGTH)),
      ],
      path: ['inbox', conversation.id],
    };
  },
  'webhook.disabled': ({ facts, ids }) => {
    const webhook = facts.webhooks.get(ids['webhook_id'] ?? '');
    if (!webhook || webhook.isActive) return null;
    return {
      details: [
        pickHost(webhook.url),
        webhook.lastError && shortenText(webhook.lastError, MAX_DETAIL_LENGTH),
      ],
      path: ['webhooks'],
    };
  },
  'calendar.failing': ({ facts, ids, words }) => {
    const connection = facts.connections.get(ids['connection_id'] ?? '');
    if (!connection || connection.health === 'healthy') return null;
    const error = connection.lastError && shortenText(connection.lastError, MAX_DETAIL_LENGTH);
    return {
      details: [connection.accountEmail, connection.health === 'reconnect_needed' ? words.reconnect : error],
      path: ['bookings', 'calendar'],
    };
  },
  'usage.limit_reached': (context) => ({ details: [lookUpBotName(context)], path: ['bots'] }),
  'lead.captured': (context) => {
    const contact = lookUpContact(context);
    if (!contact) return null;
    const { conversation_id: conversationId } = context.ids;
    return {
      details: [...listContactDetails(contact), lookUpBotName(context)],
      path: conversationId === undefined ? ['conversations'] : ['conversations', conversationId],
    };
  },
  'booking.created': (context) => describeBooking(context, (booking) => booking.status === 'confirmed'),
  'booking.cancelled': (context) =>
    describeBooking(
      context,
      ({ status, cancelledBy }) => status === 'cancelled' && cancelledBy !== 'erasure',
    ),
  'booking.conflict': (context) =>
    describeBooking(context, ({ status, hasConflict }) => status === 'confirmed' && hasConflict),
  'document.failed': (context) => toDocumentDetails(context, 'failed'),
  'document.indexed': (context) => toDocumentDetails(context, 'indexed'),
  'conversation.started': (context) => describeConversation(context),
  'conversation.ended': (context) => describeConversation(context),
  'contact.updated': (context) => {
    const contact = lookUpContact(context);
    return (
      contact && {
        details: [...listContactDetails(contact), lookUpBotName(context)],
        path: ['conversations'],
      }
    );
  },
  'message.created': (context) => {
    const { facts, ids } = context;
    const message = facts.messages.get(ids['message_id'] ?? '');
    if (!message || message.content === '') return null;
    return {
      details: [
        lookUpBotName(context),
        context.words.roles[message.role],
        shortenText(message.content, MAX_DETAIL_LENGTH),
      ],
      path: ['conversations', message.conversationId],
    };
  },
};

export interface MergedAlert {
  name: AlertEvent;
  ids: FactIds;
  /** Number of equal events that were merged into this line of an alert message. */
  count: number;
}

/** Composes an alert's line in a message from current facts; null if the event is no longer relevant. */
export function composeAlertLine(
  { name, ids, count }: MergedAlert,
  facts: AlertFacts,
  clock: ReaderClock,
  linkTo: (path: readonly string[]) => string,
): Line | null {
  const { [clock.language]: words } = alertWords;
  const details = detailWriters[name]({ facts, ids, words, clock });
  if (!details) return null;
  const texts = details.details.flatMap((detail) => (detail ? [toPrintable(detail)] : []));
  const times = count > 1 ? ` ×${count}` : '';
  const timesAndTexts = texts.length > 0 ? formatLabeled(clock.language, times, texts.join(' · ')) : times;
  return [
    { text: words.events[name], isBold: true },
    { text: `${timesAndTexts} ` },
    { text: words.open, link: linkTo(details.path) },
  ];
}

function lookUpBotName({ facts, ids }: LineContext): string | null {
  const bot = facts.bots.get(ids['bot_id'] ?? '');
  return bot ? shortenName(bot.name) : null;
}

function lookUpConversation({ facts, ids }: LineContext) {
  return facts.conversations.get(ids['conversation_id'] ?? '');
}

function lookUpContact({ facts, ids }: LineContext): Opened<Contact> | null {
  return facts.contacts.get(ids['contact_id'] ?? '') ?? null;
}

function lookUpVisitorName({ facts }: LineContext, contactId: string | null): string | null {
  const name = contactId === null ? null : facts.contacts.get(contactId)?.name;
  return name ? shortenName(name) : null;
}

function listContactDetails({ name, email, phone }: Opened<Contact>): string[] {
  return [name, email, phone].flatMap((detail) => (detail ? [shortenName(detail)] : []));
}

function describeConversation(context: LineContext): AlertDetails | null {
  const conversation = lookUpConversation(context);
  if (!conversation) return null;
  return {
    details: [
      lookUpBotName(context),
      conversation.title && shortenText(conversation.title, MAX_DETAIL_LENGTH),
    ],
    path: ['conversations', conversation.id],
  };
}

function toDocumentDetails(context: LineContext, status: 'failed' | 'indexed'): AlertDetails | null {
  const document = context.facts.documents.get(context.ids['document_id'] ?? '');
  if (document?.status !== status) return null;
  const reason = status === 'failed' ? document.errorMessage : null;
  return {
    details: [
      shortenName(document.title),
      reason && shortenText(reason, MAX_DETAIL_LENGTH),
      lookUpBotName(context),
    ],
    path: ['bots', document.botId, 'documents'],
  };
}

function describeBooking(
  context: LineContext,
  isRelevant: (booking: Opened<Booking>) => boolean,
): AlertDetails | null {
  const booking = context.facts.bookings.get(context.ids['booking_id'] ?? '');
  if (!booking || !isRelevant(booking)) return null;
  const { summary, attendeeName, startsAt } = booking;
  return {
    details: [
      formatTime(startsAt, context.clock, 'date'),
      shortenText(summary, MAX_DETAIL_LENGTH),
      attendeeName && shortenName(attendeeName),
    ],
    path: ['bookings'],
  };
}

/** Returns the host of a webhook endpoint's URL, because the rest of the URL may be a secret. */
function pickHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid URL';
}
