import type { Conversation } from '../../entities/conversation.entity.ts';

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
