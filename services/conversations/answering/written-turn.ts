import { AppError } from '../../../core/errors/errors.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';
import { botOffError, conversationEndedError, createSessionRemovedError } from '../session-errors.ts';

/** Errors for visitors' messages that are refused, by the reason for the refusal. */
export const turnRefusals = {
  ended: conversationEndedError,
  gone: createSessionRemovedError,
  bot_off: botOffError,
  quota: () =>
    new AppError(
      'quota_exceeded',
      'The assistant accepts no more messages this month. Please contact us in another way.',
    ),
  duplicate: () => new AppError('conflict', 'This client_id belongs to another message.'),
} satisfies Record<string, () => AppError>;

/** Builds the row of a visitor's message that was just inserted, which saves a query. */
export function toUserMessage(
  inserted: Pick<
    Opened<Message>,
    'id' | 'orgId' | 'conversationId' | 'content' | 'clientId' | 'optionId' | 'createdAt'
  >,
): Opened<Message> {
  return {
    ...inserted,
    role: 'user',
    state: 'complete',
    replyToId: null,
    authorId: null,
    authorName: null,
    event: null,
    input: null,
    citations: null,
    model: null,
    inputTokens: null,
    outputTokens: null,
    costUsd: null,
    latencyMs: null,
    ttftMs: null,
    isError: false,
    isUnanswered: false,
    errorCode: null,
    leaseExpiresAt: null,
    mailedAt: null,
    stoppedAt: null,
    keyId: null,
  };
}
