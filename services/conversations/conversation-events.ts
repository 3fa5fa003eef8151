import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import {
  enrichWorkflowId,
  extractFieldsWorkflowId,
  type StartCommand,
} from '../../core/workflows/commands.ts';
import type { AddressedEvent, OutboxService } from '../outbox/outbox-service.ts';

type EndedConversation = Pick<
  Conversation,
  'id' | 'orgId' | 'botId' | 'visitorId' | 'pageUrl' | 'messageCount' | 'endedAt'
>;

type StartedConversation = Pick<
  Conversation,
  'id' | 'orgId' | 'botId' | 'visitorId' | 'pageUrl' | 'createdAt'
> &
  Pick<AddressedEvent, 'traceparent'>;

type WrittenMessage = Pick<
  Opened<Message>,
  'id' | 'orgId' | 'conversationId' | 'role' | 'content' | 'citations' | 'isError' | 'createdAt'
> &
  Pick<AddressedEvent, 'key'> & { botId: string };

export function toConversationStarted({ orgId, botId, traceparent, ...started }: StartedConversation) {
  const payload = {
    conversation_id: started.id,
    bot_id: botId,
    visitor_id: started.visitorId,
    page_url: started.pageUrl,
    started_at: started.createdAt.toISOString(),
  };
  return { name: 'conversation.started', payload, orgId, botId, traceparent } as const;
}

export function toMessageCreated({ orgId, botId, ...message }: WrittenMessage) {
  const payload = {
    message_id: message.id,
    conversation_id: message.conversationId,
    bot_id: botId,
    role: message.role,
    // Replaces lone surrogates here too: the database stores the message's text as UTF-8, which cannot
    // contain them.
    content: message.content.toWellFormed(),
    citations: message.citations ?? [],
    is_error: message.isError,
    created_at: message.createdAt.toISOString(),
  };
  const { key } = message;
  return { name: 'message.created', payload, orgId, botId, traceparent: null, key } as const;
}

/** Emits `conversation.ended` for a conversation. Starts its enrichment if the conversation has messages. */
export async function announceEnd(
  outbox: OutboxService,
  scope: OrgScope,
  conversation: EndedConversation,
  endedBy: 'visitor' | 'sweep',
): Promise<void> {
  const { botId, messageCount } = conversation;
  await outbox.event(scope, 'conversation.ended', toConversationEnded(conversation, endedBy), botId);
  if (messageCount > 0) await outbox.command(scope, buildEnrichmentCommand(conversation));
}

/**
 * Builds the command that enriches a conversation again. The command has no effect while an enrichment is
 * running.
 */
export function buildExtractionCommand(conversation: Pick<Conversation, 'id' | 'orgId' | 'botId'>) {
  return {
    ...toEnrichTarget(conversation),
    workflowId: extractFieldsWorkflowId(conversation.id),
    isRepeatable: true,
    summary: 'Extract the contact fields, title, summary and sentiment again',
  } as const;
}

function buildEnrichmentCommand(conversation: EndedConversation): StartCommand<'enrichConversation'> {
  return {
    ...toEnrichTarget(conversation),
    workflowId: enrichWorkflowId(conversation.id, conversation.endedAt ?? new Date()),
    summary: 'Extract the contact fields, title, summary and sentiment of an ended conversation',
  };
}

function toEnrichTarget({ id, orgId, botId }: Pick<Conversation, 'id' | 'orgId' | 'botId'>) {
  return {
    workflow: 'enrichConversation',
    action: 'start',
    args: [{ orgId, botId, conversationId: id }],
  } satisfies Partial<StartCommand<'enrichConversation'>>;
}

function toConversationEnded(conversation: EndedConversation, endedBy: 'visitor' | 'sweep') {
  return {
    conversation_id: conversation.id,
    bot_id: conversation.botId,
    visitor_id: conversation.visitorId,
    page_url: conversation.pageUrl,
    ended_at: (conversation.endedAt ?? new Date()).toISOString(),
    message_count: conversation.messageCount,
    ended_by: endedBy,
  };
}
