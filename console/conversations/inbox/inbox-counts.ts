import { useStore } from '../../hooks/use-store.ts';
import { useSession } from '../../session/session.tsx';
import { countInbox, type InboxCounts } from './count-inbox.ts';

export function useInboxCounts(): InboxCounts {
  const { feed, reads } = useSession();
  return countInbox(useStore(feed.state), useStore(reads));
}
