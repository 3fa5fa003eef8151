import { measureJsonDepth } from '../../../adapters/archive/json-depth.ts';
import { archiveFormat } from '../../../core/archive/archive-format.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { Handoff } from '../../../entities/analytics/handoff.entity.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { Contact } from '../../../entities/contacts/contact.entity.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { ArchivedMessage } from '../../../repositories/archive/archive-source.sql.ts';
import {
  MAX_ITEMS,
  type BotRecord,
  type ContactRecord,
  type ConversationRecord,
  type MessageRecord,
} from '../archive-records.ts';

/**
 * Type of an archive's record with a value for each of its fields. A field that the archive omits is
 * undefined.
 */
type Complete<R> = R & Record<keyof R, unknown>;

/** Turns null into undefined, which JSON omits. Archives omit fields that are null, false, zero or empty. */
const undefinedIfNull = <T>(value: T | null): T | undefined => value ?? undefined;
const toTime = (value: Date | null): string | undefined => value?.toISOString();
const undefinedIfFalse = (value: boolean): true | undefined => value || undefined;
const undefinedIfZero = (value: number): number | undefined => value || undefined;
const undefinedIfEmpty = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length > 0 ? value : undefined;

export function toBotRecord({ id, name, description, language, createdAt }: Bot): Complete<BotRecord> {
  return {
    id,
    name,
    description: undefinedIfNull(description),
    language,
    created_at: createdAt.toISOString(),
  };
}

export function toContactRecord(contact: Opened<Contact>): Complete<ContactRecord> {
  return {
    id: contact.id,
    bot_id: contact.botId,
    visitor_id: contact.visitorId,
    browser_id: contact.browserId,
    identity: undefinedIfNull(contact.identity),
    name: undefinedIfNull(contact.name),
    email: undefinedIfNull(contact.email),
    email_verified: undefinedIfFalse(contact.isEmailVerified),
    phone: undefinedIfNull(contact.phone),
    country: undefinedIfNull(contact.country),
    custom_fields: undefinedIfEmpty(contact.customFields),
    tags: undefinedIfEmpty(contact.tags),
    removed_fields: undefinedIfEmpty(contact.removedFields),
    is_lead: undefinedIfFalse(contact.isLead),
    first_seen_at: contact.firstSeenAt.toISOString(),
    created_at: contact.createdAt.toISOString(),
    merged_ids: undefinedIfEmpty(contact.formerIds.slice(-MAX_ITEMS.mergedIds)),
  };
}

/**
 * Converts a conversation to a record of an export's archive.
 * @param includesContacts true to export the fields that identify the visitor
 */
export function toConversationRecord(
  conversation: Opened<Conversation>,
  handoffs: readonly Handoff[],
  includesContacts: boolean,
): Complete<ConversationRecord> {
  return {
    type: 'conversation',
    id: conversation.id,
    bot_id: conversation.botId,
    visitor_id: conversation.visitorId,
    browser_id: conversation.browserId,
    contact_id: undefinedIfNull(conversation.contactId),
    is_vouched_for: undefinedIfFalse(conversation.isVouchedFor),
    country: undefinedIfNull(conversation.country),
    status: conversation.status,
    consent: conversation.consent,
    consent_at: toTime(conversation.consentAt),
    custom_fields: includesContacts ? undefinedIfEmpty(conversation.customFields) : undefined,
    lead_details: includesContacts ? undefinedIfEmpty(conversation.leadDetails) : undefined,
    is_lead: undefinedIfFalse(conversation.isLead),
    is_resolved: undefinedIfFalse(conversation.isResolved),
    had_handoff: undefinedIfFalse(conversation.hadHandoff),
    page_url: undefinedIfNull(conversation.pageUrl),
    referrer: undefinedIfNull(conversation.referrer),
    rating: undefinedIfNull(conversation.rating),
    sentiment: undefinedIfNull(conversation.sentiment),
    summary: undefinedIfNull(conversation.summary),
    title: undefinedIfNull(conversation.title),
    total_cost_usd: undefinedIfZero(conversation.totalCostUsd),
    total_input_tokens: undefinedIfZero(conversation.totalInputTokens),
    total_output_tokens: undefinedIfZero(conversation.totalOutputTokens),
    created_at: conversation.createdAt.toISOString(),
    last_message_at: conversation.lastMessageAt.toISOString(),
    visitor_seen_at: conversation.visitorSeenAt.toISOString(),
    ended_at: toTime(conversation.endedAt),
    reopened_at: toTime(conversation.reopenedAt),
    handoffs: undefinedIfEmpty(
      handoffs.map(({ requestedAt, answeredAt }) => ({
        requested_at: requestedAt.toISOString(),
        answered_at: toTime(answeredAt),
      })),
    ),
  };
}

export function toMessageRecord(message: Opened<ArchivedMessage>): Complete<MessageRecord> {
  return {
    type: 'message',
    id: message.id,
    conversation_id: message.conversationId,
    role: message.role,
    content: message.content,
    created_at: message.createdAt.toISOString(),
    reply_to_id: undefinedIfNull(message.replyToId),
    author_id: undefinedIfNull(message.authorId),
    author_name: undefinedIfNull(message.authorName),
    event: undefinedIfNull(message.event),
    option_id: undefinedIfNull(message.optionId),
    input: undefinedIfNull(message.input),
    citations: undefinedIfNull(message.citations),
    model: undefinedIfNull(message.model),
    input_tokens: undefinedIfNull(message.inputTokens),
    output_tokens: undefinedIfNull(message.outputTokens),
    cost_usd: message.costUsd === null ? undefined : Number(message.costUsd),
    latency_ms: undefinedIfNull(message.latencyMs),
    ttft_ms: undefinedIfNull(message.ttftMs),
    mailed_at: toTime(message.mailedAt),
    stopped_at: toTime(message.stoppedAt),
    is_error: undefinedIfFalse(message.isError),
    is_unanswered: undefinedIfFalse(message.isUnanswered),
    error_code: undefinedIfNull(message.errorCode),
  };
}

/** Returns true if a record's line is within the limits of size and depth that an import accepts. */
export function fitsArchive(line: Buffer): boolean {
  return line.length <= archiveFormat.maxLineBytes && measureJsonDepth(line) <= archiveFormat.maxDepth;
}

/** Formats a record of an archive as a line of JSON. */
export function toArchiveLine(record: object): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}
