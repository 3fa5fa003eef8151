import type { InboxItem } from '../../client/types.ts';
import type { InboxEntry } from './inbox-feed.ts';

/**
 * Returns the entries that match the filters; visitors who have waited longest come first.
 * @param memberId id of the user; null while it is unknown
 */
export function filterInbox(
  entries: readonly InboxEntry[],
  { owner, state, bot }: Record<string, string>,
  memberId: string | null,
): InboxEntry[] {
  return entries
    .filter(
      ({ item }) =>
        matchesOwner(item, owner, memberId) && matchesState(item, state) && (!bot || item.bot_id === bot),
    )
    .sort((a, b) => getSortKey(a.item).localeCompare(getSortKey(b.item)));
}

function matchesOwner(item: InboxItem, owner: string | undefined, memberId: string | null): boolean {
  if (owner === 'mine') return memberId !== null && item.assigned_to_id === memberId;
  if (owner === 'unassigned') return item.assigned_to_id === null;
  return true;
}

function matchesState(item: InboxItem, state: string | undefined): boolean {
  if (state === 'waiting') return item.assigned_to_id === null;
  if (state === 'human') return item.assigned_to_id !== null;
  if (state === 'present') return item.visitor_present;
  return true;
}

function getSortKey({ handoff_requested_at: requestedAt, id }: InboxItem): string {
  return `${requestedAt ?? ''} ${id}`;
}
