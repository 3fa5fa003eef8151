import { countInbox, type InboxCounts } from '../conversations/inbox/count-inbox.ts';
import { useStore } from '../react/use-store.ts';
import { useSession } from './session-context.ts';

export function useInboxCounts(): InboxCounts {
  const { feed, reads } = useSession();
  return countInbox(useStore(feed.state), useStore(reads));
}
