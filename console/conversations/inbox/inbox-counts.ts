import type { InboxItem } from '../../client/types.ts';
import { useStore } from '../../hooks/store.ts';
import { useSession } from '../../session/session.tsx';

export interface InboxCounts {
  /** Visitors whom nobody of the team has. */
  waiting: number;
  /** Conversations of one's own in which the visitor has said something since one looked. */
  unread: number;
  isUnread(item: InboxItem): boolean;
}

/** What there is to do, as it changes, be it in another tab. */
export function useInboxCounts(): InboxCounts {
  const { feed, reads } = useSession();
  const { entries, memberId } = useStore(feed.state);
  const marks = useStore(reads);
  const items = [...entries.values()].map(({ item }) => item);
  const isUnread = ({
    id,
    assigned_to_id: holderId,
    last_message_role: role,
    last_message_at: at,
  }: InboxItem) =>
    memberId !== null && holderId === memberId && role === 'user' && (at ?? '') > (marks[id] ?? '');
  return {
    waiting: items.filter((item) => item.assigned_to_id === null).length,
    unread: items.filter(isUnread).length,
    isUnread,
  };
}
