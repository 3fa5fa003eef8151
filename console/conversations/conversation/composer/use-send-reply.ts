import { path } from '../../../client/paths.ts';
import { toApiError } from '../../../client/api-error.ts';
import type { Message } from '../../../client/types.ts';
import { showError } from '../../../components/page/notices.ts';
import { useSession } from '../../../session/session.tsx';
import type { SendReply } from './outgoing-replies.ts';

export interface SendOptions {
  /** Called after the API has accepted or rejected the reply. */
  onDone(): void;
  resolveConversation(): Promise<void>;
}

/**
 * Returns a function that sends a reply to the visitor, and then resolves the conversation if the reply's
 * `resolves` is set.
 */
export function useSendReply(
  conversationId: string,
  { onDone, resolveConversation }: SendOptions,
): SendReply {
  const { client } = useSession();
  const post = async (content: string, idempotencyKey: string): Promise<Message> => {
    try {
      return await client.post(path`/api/inbox/${conversationId}/reply`, { content }, { idempotencyKey });
    } finally {
      onDone();
    }
  };
  return async ({ text, idempotencyKey, resolves }) => {
    const message = await post(text, idempotencyKey);
    // The reply was sent. If the conversation cannot be resolved, only show the error.
    if (resolves) void resolveConversation().catch((error: unknown) => showError(toApiError(error).message));
    return message;
  };
}
