import type { Opened } from '../../database/sealed-columns.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type {
  BulkOutcome,
  ConversationWithContact,
} from '../../services/conversations/conversation-service.ts';
import type { BulkResponse, ConversationRead } from './conversations.schemas.ts';
import { presentMessage } from './messages.presenter.ts';

export function presentConversation({
  conversation,
  contact,
  preview,
}: ConversationWithContact): ConversationRead {
  return {
    id: conversation.id,
    bot_id: conversation.botId,
    visitor_id: conversation.visitorId,
    status: conversation.status,
    consent: conversation.consent,
    contact_id: contact?.id ?? null,
    contact_name: contact?.name ?? null,
    contact_email: contact?.email ?? null,
    contact_phone: contact?.phone ?? null,
    custom_fields: conversation.customFields,
    is_lead: conversation.isLead,
    message_count: conversation.messageCount,
    page_url: conversation.pageUrl,
    rating: conversation.rating,
    resolved: conversation.isResolved,
    sentiment: conversation.sentiment,
    summary: conversation.summary,
    title: conversation.title,
    first_question: preview.firstQuestion,
    last_visitor_message: preview.lastVisitorMessage,
    last_message: preview.lastMessage,
    last_message_role: preview.lastMessageRole,
    total_cost_usd: conversation.totalCostUsd,
    started_at: conversation.createdAt.toISOString(),
    last_message_at: conversation.lastMessageAt.toISOString(),
    ended_at: conversation.endedAt?.toISOString() ?? null,
  };
}

export function presentConversationDetail(known: ConversationWithContact, messages: Opened<Message>[]) {
  const { conversation } = known;
  return {
    ...presentConversation(known),
    messages: messages.map(presentMessage),
    referrer: conversation.referrer,
    total_input_tokens: conversation.totalInputTokens,
    total_output_tokens: conversation.totalOutputTokens,
  };
}

export function presentOutcomes(outcomes: BulkOutcome[]): BulkResponse {
  const results = outcomes.map(({ id, refusal }) => ({
    id,
    ok: refusal === null,
    error: refusal && `${refusal.code}: ${refusal.message}`,
  }));
  const succeeded = results.filter(({ ok }) => ok).length;
  return { results, succeeded, failed: results.length - succeeded };
}
