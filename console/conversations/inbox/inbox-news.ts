import type { InboxItem } from '../../client/types.ts';

export type NotificationKind = 'waiting' | 'assigned' | 'reply';

export interface InboxNews {
  kind: NotificationKind;
  item: InboxItem;
}

type Entries = ReadonlyMap<string, { item: InboxItem }>;

/**
 * Compares the inbox before and after a change. Returns the changes of which the user can be notified:
 * visitors who started to wait, conversations that were assigned to the user, and visitors' messages in the
 * user's conversations.
 */
export function listInboxNews(before: Entries, after: Entries, memberId: string): InboxNews[] {
  return [...after.values()].flatMap(({ item }) => {
    const kind = findKind(before.get(item.id)?.item, item, memberId);
    return kind === null ? [] : [{ kind, item }];
  });
}

function findKind(
  before: InboxItem | undefined,
  { assigned_to_id: assigneeId, last_message_at: at, last_message_role: role }: InboxItem,
  memberId: string,
): NotificationKind | null {
  if (assigneeId === null) {
    const wasElsewhere = before === undefined || ![null, memberId].includes(before.assigned_to_id);
    return wasElsewhere ? 'waiting' : null;
  }
  if (assigneeId !== memberId) return null;
  if (before?.assigned_to_id !== memberId) return 'assigned';
  return role === 'user' && (at ?? '') > (before.last_message_at ?? '') ? 'reply' : null;
}
