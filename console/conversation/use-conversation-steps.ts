import { path } from '../client/paths.ts';
import type { ConversationRead, InboxItem } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { tell } from '../ui/notices.tsx';

export interface ConversationSteps {
  claim(): Promise<void>;
  /** From a colleague: it waits for a moment, in which another one can claim it. */
  takeOver(): Promise<void>;
  release(): Promise<void>;
  resolve(): Promise<void>;
  reopen(): Promise<void>;
}

export function useConversationSteps(id: string, onDone: () => void): ConversationSteps {
  const { client, feed } = useSession();
  const inbox = path`/api/inbox/${id}`;
  const conversation = path`/api/conversations/${id}`;
  const claim = async (): Promise<void> => {
    feed.note(await client.post<InboxItem>(`${inbox}/claim`), true);
    onDone();
  };
  const settle = async (step: 'resolve' | 'reopen', done: string): Promise<void> => {
    await client.post<ConversationRead>(`${conversation}/${step}`);
    tell(done);
    onDone();
  };
  return {
    claim,
    takeOver: async () => {
      await client.post<InboxItem>(`${inbox}/assign`, { assigned_to_id: null });
      await claim();
    },
    release: async () => {
      feed.note(await client.post<InboxItem>(`${inbox}/release`));
      tell('The bot answers again.');
      onDone();
    },
    resolve: () => settle('resolve', 'The conversation is resolved.'),
    reopen: () => settle('reopen', 'The conversation is open again.'),
  };
}
