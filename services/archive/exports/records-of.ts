import { depthOf } from '../../../adapters/archive/json-depth.ts';
import { archiveFormat } from '../../../core/archive/archive-format.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { Handoff } from '../../../entities/analytics/handoff.entity.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { Contact } from '../../../entities/contacts/contact.entity.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { ArchivedMessage } from '../../../repositories/archive/archive-source.sql.ts';
import type { BotRecord, ContactRecord, ConversationRecord, MessageRecord } from '../archive-records.ts';

/** As JSON leaves them out: what a record says nothing of is null, false or empty. */
const told = <T>(value: T | null): T | undefined => value ?? undefined;
const time = (value: Date | null): string | undefined => value?.toISOString();
const flag = (value: boolean): true | undefined => value || undefined;
const count = (value: number): number | undefined => value || undefined;
const filled = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length > 0 ? value : undefined;

export function botRecord({ id, name, description, language, createdAt }: Bot): BotRecord {
  return { id, name, description: told(description), language, created_at: createdAt.toISOString() };
}

export function contactRecord(contact: Opened<Contact>): ContactRecord {
  return {
    id: contact.id,
    bot_id: contact.botId,
    visitor_id: contact.visitorId,
    browser_id: contact.browserId,
    identity: told(contact.identity),
    name: told(contact.name),
    email: told(contact.email),
    email_verified: flag(contact.isEmailVerified),
    phone: told(contact.phone),
    country: told(contact.country),
    custom_fields: filled(contact.customFields),
    tags: filled(contact.tags),
    removed_fields: filled(contact.removedFields),
    is_lead: flag(contact.isLead),
    first_seen_at: contact.firstSeenAt.toISOString(),
    created_at: contact.createdAt.toISOString(),
    merged_ids: filled(contact.erasedIds),
  };
}

/** @param includesContacts whether it has what tells who its visitor is */
export function conversationRecord(
  conversation: Opened<Conversation>,
  handoffs: readonly Handoff[],
  includesContacts: boolean,
): ConversationRecord {
  return {
    type: 'conversation',
    id: conversation.id,
    bot_id: conversation.botId,
    visitor_id: conversation.visitorId,
    browser_id: conversation.browserId,
    contact_id: told(conversation.contactId),
    is_vouched_for: flag(conversation.isVouchedFor),
    country: told(conversation.country),
    status: conversation.status,
    consent: conversation.consent,
    consent_at: time(conversation.consentAt),
    ...(includesContacts && {
      custom_fields: filled(conversation.customFields),
      lead_details: filled(conversation.leadDetails),
    }),
    is_lead: flag(conversation.isLead),
    is_resolved: flag(conversation.isResolved),
    had_handoff: flag(conversation.hadHandoff),
    page_url: told(conversation.pageUrl),
    referrer: told(conversation.referrer),
    rating: told(conversation.rating),
    sentiment: told(conversation.sentiment),
    summary: told(conversation.summary),
    title: told(conversation.title),
    total_cost_usd: count(conversation.totalCostUsd),
    total_input_tokens: count(conversation.totalInputTokens),
    total_output_tokens: count(conversation.totalOutputTokens),
    created_at: conversation.createdAt.toISOString(),
    last_message_at: conversation.lastMessageAt.toISOString(),
    visitor_seen_at: conversation.visitorSeenAt.toISOString(),
    ended_at: time(conversation.endedAt),
    reopened_at: time(conversation.reopenedAt),
    handoffs: filled(
      handoffs.map(({ requestedAt, answeredAt }) => ({
        requested_at: requestedAt.toISOString(),
        answered_at: time(answeredAt),
      })),
    ),
  };
}

export function messageRecord(message: Opened<ArchivedMessage>): MessageRecord {
  return {
    type: 'message',
    id: message.id,
    conversation_id: message.conversationId,
    role: message.role,
    content: message.content,
    created_at: message.createdAt.toISOString(),
    reply_to_id: told(message.replyToId),
    author_id: told(message.authorId),
    author_name: told(message.authorName),
    event: told(message.event),
    option_id: told(message.optionId),
    input: told(message.input),
    citations: told(message.citations),
    model: told(message.model),
    input_tokens: told(message.inputTokens),
    output_tokens: told(message.outputTokens),
    cost_usd: message.costUsd === null ? undefined : Number(message.costUsd),
    latency_ms: told(message.latencyMs),
    ttft_ms: told(message.ttftMs),
    mailed_at: time(message.mailedAt),
    is_error: flag(message.isError),
    is_unanswered: flag(message.isUnanswered),
    error_code: told(message.errorCode),
  };
}

/** Whether an import takes an archive that has the line. */
export function isTakenBack(line: Buffer): boolean {
  return line.length <= archiveFormat.maxLineBytes && depthOf(line) <= archiveFormat.maxDepth;
}

/** A record as an archive has it. */
export function lineOf(record: object): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}
