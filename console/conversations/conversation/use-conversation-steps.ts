import { path } from '../../client/paths.ts';
import type { ConversationRead, InboxItem } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { showConfirmation } from '../../components/notices.ts';

export interface ConversationSteps {
  claim(): Promise<void>;
  /** Assigns the conversation to the user, although a colleague handles it. */
  takeOver(): Promise<void>;
  release(): Promise<void>;
  resolve(): Promise<void>;
  reopen(): Promise<void>;
}

export function useConversationSteps(id: string, onDone: () => void): ConversationSteps {
  const { client, feed } = useSession();
  const inbox = path`/api/inbox/${id}`;
  const conversation = path`/api/conversations/${id}`;
  const applyItem = async (taking: Promise<InboxItem>): Promise<void> => {
    feed.applyItem(await taking);
    onDone();
  };
  const postStep = async (step: 'resolve' | 'reopen', done: string): Promise<void> => {
    await client.post<ConversationRead>(`${conversation}/${step}`);
    showConfirmation(done);
    onDone();
  };
  return {
    claim: () => applyItem(client.post(`${inbox}/claim`)),
    takeOver: () => applyItem(client.post(`${inbox}/assign`, { assigned_to_id: 'me' })),
    release: async () => {
      feed.applyItem(await client.post<InboxItem>(`${inbox}/release`));
      showConfirmation('The bot answers again.');
      onDone();
    },
    resolve: () => postStep('resolve', 'The conversation is resolved.'),
    reopen: () => postStep('reopen', 'The conversation is open again.'),
  };
}
