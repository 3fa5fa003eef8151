import { path } from '../../../client/paths.ts';
import type { MessageRead } from '../../../client/types.ts';
import { useSession } from '../../../session/session.tsx';
import type { SendReply } from './outgoing-replies.ts';

/**
 * Returns a function that sends a reply.
 * @param onDone called after the API has accepted or rejected the reply
 */
export function useSendReply(id: string, onDone: () => void): SendReply {
  const { client } = useSession();
  return async ({ text, idempotencyKey }) => {
    try {
      return await client.post<MessageRead>(
        path`/api/inbox/${id}/reply`,
        { content: text },
        { idempotencyKey },
      );
    } finally {
      onDone();
    }
  };
}
