import { countInbox, type InboxCounts } from './count-inbox.ts';
import { useStore } from '../../state/use-store.ts';
import { useSession } from '../../session/session.tsx';

export function useInboxCounts(): InboxCounts {
  const { feed, reads } = useSession();
  return countInbox(useStore(feed.state), useStore(reads));
}
