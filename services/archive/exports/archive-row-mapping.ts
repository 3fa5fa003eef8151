import { newId } from '../../../core/ids.ts';
import { parseWebAddress } from '../../../core/text/page-address.ts';
import { mayUpdateContact } from '../../../entities/conversations/conversation.entity.ts';
import type {
  ImportedConsent,
  ImportedHandoff,
} from '../../../repositories/archive/archive-import.repository.ts';
import type {
  ImportedContact,
  ImportedConversation,
  ImportedMessage,
} from '../../../repositories/archive/archive-import.sql.ts';
import { CLEARED_COLUMNS } from '../../contacts/contact-changes.ts';
import { clearVisitorDetails } from '../../contacts/visitor-details.ts';
import type { ContactRecord, ConversationRecord, MessageRecord } from '../archive-records.ts';

const toDate = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/**
 * Consent that this installation has recorded for the visitor. This consent takes precedence over the
 * archive's consent.
 */
type KnownConsent = Pick<ImportedConversation, 'consent' | 'consentAt'>;

/**
 * Converts a contact in an archive to a row of the database.
 * @param isRefused true if the visitor has refused consent: personal data is then omitted
 */
export function toContactRow(
  record: ContactRecord,
  ids: { id: string; botId: string },
  isRefused: boolean,
): ImportedContact {
  const row: ImportedContact = {
    ...ids,
    visitorId: record.visitor_id,
    browserId: record.browser_id,
    identity: record.identity ?? null,
    name: record.name ?? null,
    email: record.email ?? null,
    isEmailVerified: record.email_verified ?? false,
    phone: record.phone ?? null,
    country: record.country ?? null,
    customFields: record.custom_fields ?? {},
    tags: record.tags ?? [],
    removedFields: record.removed_fields ?? [],
    isLead: record.is_lead ?? false,
    firstSeenAt: new Date(record.first_seen_at),
    createdAt: new Date(record.created_at ?? record.first_seen_at),
    formerIds: record.merged_ids ?? [],
  };
  return isRefused ? { ...row, ...CLEARED_COLUMNS } : row;
}

export interface ConversationContext {
  id: string;
  botId: string;
  contactId: string | null;
  /** True if the visitor has refused consent since the archive was exported. */
  isRefused: boolean;
  consent: KnownConsent | null;
}

/**
 * Converts a conversation in an archive to a row of the database. Imported conversations always count as
 * ended.
 */
export function toConversationRow(
  record: ConversationRecord,
  messages: readonly MessageRecord[],
  { id, botId, contactId, isRefused, consent: known }: ConversationContext,
): ImportedConversation {
  const createdAt = new Date(record.created_at);
  const lastMessageAt = toDate(record.last_message_at) ?? createdAt;
  const row: ImportedConversation = {
    id,
    botId,
    visitorId: record.visitor_id,
    browserId: record.browser_id,
    contactId,
    isVouchedFor: record.is_vouched_for ?? false,
    country: record.country ?? null,
    status: 'ended',
    consent: record.consent ?? 'unknown',
    consentAt: toDate(record.consent_at),
    ...known,
    customFields: record.custom_fields ?? {},
    isLead: record.is_lead ?? false,
    leadDetails: record.lead_details ?? {},
    isResolved: record.is_resolved ?? false,
    messageCount: messages.filter(({ role }) => role !== 'system').length,
    hasVisitorMessage: messages.some(({ role }) => role === 'user'),
    hadHandoff: record.had_handoff ?? false,
    pageUrl: parseWebAddress(record.page_url),
    referrer: parseWebAddress(record.referrer),
    rating: record.rating ?? null,
    sentiment: record.sentiment ?? null,
    summary: record.summary ?? null,
    title: record.title ?? null,
    totalCostUsd: record.total_cost_usd ?? 0,
    totalInputTokens: record.total_input_tokens ?? 0,
    totalOutputTokens: record.total_output_tokens ?? 0,
    createdAt,
    lastMessageAt,
    visitorSeenAt: toDate(record.visitor_seen_at) ?? lastMessageAt,
    endedAt: toDate(record.ended_at) ?? lastMessageAt,
    reopenedAt: toDate(record.reopened_at),
  };
  return isRefused ? { ...row, ...clearVisitorDetails(row) } : row;
}

/**
 * Converts a message in an archive to a row of the database.
 * @param toNewId returns the new id of the message with an archived id
 */
export function toMessageRow(
  record: MessageRecord,
  conversationId: string,
  toNewId: (archivedId: string) => string,
  isDeletedAccount: (userId: string) => boolean,
): ImportedMessage {
  const { author_id: authorId = null, author_name: authorName = null } = record;
  // Omits the author of the message if the author's account was deleted.
  const isNamed = authorId === null || !isDeletedAccount(authorId);
  return {
    id: toNewId(record.id),
    conversationId,
    replyToId: record.reply_to_id ? toNewId(record.reply_to_id) : null,
    role: record.role,
    content: record.content,
    authorId: isNamed ? authorId : null,
    authorName: isNamed ? authorName : null,
    event: record.event ?? null,
    optionId: record.option_id ?? null,
    input: record.input ?? null,
    citations:
      record.citations?.map(({ source_url: url, ...citation }) => ({
        ...citation,
        source_url: parseWebAddress(url),
      })) ?? null,
    model: record.model ?? null,
    inputTokens: record.input_tokens ?? null,
    outputTokens: record.output_tokens ?? null,
    costUsd: record.cost_usd ?? null,
    latencyMs: record.latency_ms ?? null,
    ttftMs: record.ttft_ms ?? null,
    mailedAt: record.mailed_at ?? null,
    stoppedAt: record.stopped_at ?? null,
    isError: record.is_error ?? false,
    isUnanswered: record.is_unanswered ?? false,
    errorCode: record.error_code ?? null,
    createdAt: record.created_at,
  };
}

export function toHandoffRows(
  { handoffs = [] }: ConversationRecord,
  { id: conversationId, botId }: Pick<ConversationContext, 'id' | 'botId'>,
): ImportedHandoff[] {
  return handoffs.map(({ requested_at: requested, answered_at: answered }) => ({
    id: newId(),
    botId,
    conversationId,
    requestedAt: new Date(requested),
    answeredAt: toDate(answered),
  }));
}

/**
 * Returns the row that records the visitor's consent, or an empty list if the visitor stated none. The row is
 * separate from the conversation, so that the consent outlives the conversation.
 */
export function toConsentRows(row: ImportedConversation): ImportedConsent[] {
  const { id, botId, browserId, contactId, consent, consentAt, lastMessageAt: saidAt } = row;
  if (consent === 'unknown' || !mayUpdateContact(row)) return [];
  return [{ id, botId, browserId, contactId, consent, saidAt: consentAt ?? saidAt }];
}
