import type { Conversation } from '../../entities/conversation.entity.ts';

export function conversationEnded(
  conversation: Pick<Conversation, 'id' | 'botId' | 'visitorId' | 'pageUrl' | 'messageCount' | 'endedAt'>,
  endedBy: 'visitor' | 'sweep',
) {
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

export function handoffRequested(conversation: Conversation, reason: string | null) {
  return {
    conversation_id: conversation.id,
    bot_id: conversation.botId,
    reason,
    requested_by: 'visitor',
  };
}
