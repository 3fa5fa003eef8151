import type { InboxEntry } from '../../services/conversations/inbox-service.ts';
import type { InboxItem } from './inbox.schemas.ts';

export function presentInboxItem({
  conversation,
  contact,
  preview,
  assignedToName,
  waitingSeconds,
  isVisitorPresent,
}: InboxEntry): InboxItem {
  return {
    id: conversation.id,
    bot_id: conversation.botId,
    visitor_id: conversation.visitorId,
    assigned_at: conversation.assignedAt?.toISOString() ?? null,
    assigned_to_id: conversation.assignedToId,
    assigned_to_name: assignedToName,
    contact_email: contact?.email ?? null,
    contact_name: contact?.name ?? null,
    handoff_reason: conversation.handoffReason,
    handoff_requested_at: conversation.handoffRequestedAt?.toISOString() ?? null,
    page_url: conversation.pageUrl,
    title: conversation.title,
    first_question: preview.firstQuestion,
    last_visitor_message: preview.lastVisitorMessage,
    last_message: preview.lastMessage,
    last_message_role: preview.lastMessageRole,
    last_message_at: conversation.lastMessageAt.toISOString(),
    visitor_seen_at: conversation.visitorSeenAt.toISOString(),
    message_count: conversation.messageCount,
    visitor_present: isVisitorPresent,
    waiting_seconds: waitingSeconds,
  };
}
