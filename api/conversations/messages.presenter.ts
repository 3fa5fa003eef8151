import { nameForVisitors } from '../../core/conversations/name-for-visitors.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type { MessagePage, MessageRange } from '../../repositories/conversations/message.repository.ts';
import {
  showsAuthor,
  formatForTeam,
  formatForVisitor,
} from '../../services/conversations/system-messages.ts';
import type { MessageRead, VisitorMessageRead } from './messages.schemas.ts';

export function presentVisitorMessage(message: Opened<Message>): VisitorMessageRead {
  return {
    id: message.id,
    role: message.role,
    content: formatForVisitor(message),
    author_name: showsAuthor(message) ? nameForVisitors(message.authorName) : null,
    event: presentEvent(message),
    citations: message.citations,
    input: message.input,
    is_error: message.isError,
    error_code: message.errorCode,
    ...(message.stoppedAt && { stopped_at: message.stoppedAt.toISOString() }),
    created_at: message.createdAt.toISOString(),
  };
}

/**
 * Returns the query parameters that request the rest of a range of messages after one of its pages; null
 * after the last page.
 */
export function findNextRange(
  { before }: MessageRange,
  { messages, hasMore }: MessagePage,
): Record<string, string> | null {
  const edge = before === undefined ? messages.at(-1) : messages[0];
  if (!hasMore || !edge) return null;
  return before === undefined ? { after: edge.id } : { before: edge.id };
}

export function presentMessage(message: Opened<Message>): MessageRead {
  return {
    ...presentVisitorMessage(message),
    content: formatForTeam(message),
    author_id: message.authorId,
    author_name: message.authorName,
    mailed_at: message.mailedAt?.toISOString() ?? null,
    model: message.model,
    input_tokens: message.inputTokens,
    output_tokens: message.outputTokens,
    cost_usd: message.costUsd,
    latency_ms: message.latencyMs,
    ttft_ms: message.ttftMs,
  };
}

function presentEvent({ event, content }: Opened<Message>): VisitorMessageRead['event'] {
  if (event?.kind !== 'handoff_requested') return event;
  return { ...event, reason: content === '' ? null : content };
}
