import type { InboxItem } from '../../client/types.ts';
import type { InboxState } from './inbox-feed.ts';

export interface InboxCounts {
  /** Number of waiting visitors, to whom no member is assigned. */
  waiting: number;
  /** Number of conversations that are assigned to the user and have unread messages. */
  unread: number;
  isUnread(item: InboxItem): boolean;
}

/**
 * Counts waiting visitors and unread conversations. Conversations that the user has read in another tab count
 * as read.
 * @param marks times up to which the user has read each conversation
 */
export function countInbox(
  { entries, memberId }: InboxState,
  marks: Readonly<Record<string, string>>,
): InboxCounts {
  const items = [...entries.values()].map(({ item }) => item);
  const isUnread = ({
    id,
    assigned_to_id: assigneeId,
    last_message_role: role,
    last_message_at: at,
  }: InboxItem) =>
    memberId !== null && assigneeId === memberId && role === 'user' && (at ?? '') > (marks[id] ?? '');
  return {
    waiting: items.filter((item) => item.assigned_to_id === null).length,
    unread: items.filter(isUnread).length,
    isUnread,
  };
}
