import type { InboxItem } from '../../client/types.ts';
import { useStore } from '../../hooks/store.ts';
import { useSession } from '../../session/session.tsx';

export interface InboxCounts {
  /** Visitors without an assigned member. */
  waiting: number;
  /** The user's own conversations with unread messages. */
  unread: number;
  isUnread(item: InboxItem): boolean;
}

/** Counts waiting visitors and unread conversations; follows changes from other tabs. */
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
