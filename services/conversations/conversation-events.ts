import type { Conversation } from '../../entities/conversation.entity.ts';
import type { Message } from '../../entities/message.entity.ts';

export function messageCreated(message: Message, botId: string) {
  return {
    message_id: message.id,
    conversation_id: message.conversationId,
    bot_id: botId,
    role: message.role,
    content: message.content,
    citations: message.citations ?? [],
    is_error: message.isError,
    created_at: message.createdAt.toISOString(),
  };
}

function conversationData(conversation: Conversation) {
  return {
    conversation_id: conversation.id,
    bot_id: conversation.botId,
    visitor_id: conversation.visitorId,
    page_url: conversation.pageUrl,
  };
}

export function conversationStarted(conversation: Conversation) {
  return { ...conversationData(conversation), started_at: conversation.createdAt.toISOString() };
}

export function conversationEnded(conversation: Conversation, endedBy: 'visitor' | 'sweep') {
  return {
    ...conversationData(conversation),
    ended_at: (conversation.endedAt ?? new Date()).toISOString(),
    message_count: conversation.messageCount,
    ended_by: endedBy,
  };
}
