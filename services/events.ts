import type { Citation } from '../entities/message.entity.ts';

interface ConversationData {
  conversation_id: string;
  bot_id: string;
  visitor_id: string;
  page_url: string | null;
}

interface DocumentData {
  document_id: string;
  bot_id: string;
  title: string;
  source_type: string;
  source_url: string | null;
}

/** The `data` of each event (spec 6.1); the delivery adds `event_id` and `occurred_at`. */
export interface EventData {
  'conversation.started': ConversationData & { started_at: string };
  'conversation.ended': ConversationData & {
    ended_at: string;
    message_count: number;
    ended_by: 'visitor' | 'sweep';
  };
  'message.created': {
    message_id: string;
    conversation_id: string;
    bot_id: string;
    role: string;
    content: string;
    citations: Citation[];
    is_error: boolean;
    created_at: string;
  };
  'lead.captured': {
    conversation_id: string;
    bot_id: string;
    contact_id: string;
    fields: Record<string, unknown>;
  };
  'contact.updated': { contact_id: string; bot_id: string; changed: string[] };
  'document.indexed': DocumentData & { chunk_count: number; token_count: number };
  'document.failed': DocumentData & { reason: string };
  'handoff.requested': {
    conversation_id: string;
    bot_id: string;
    reason: string | null;
    requested_by: string;
  };
}

export type EventName = keyof EventData;
