import type { InboxItem } from '../../client/types.ts';
import type { InboxEntry } from './inbox-feed.ts';
import { getConversationName } from './conversation-name.ts';

/** View of the inbox: conversations of the user, conversations without an assignee, or all. */
export type Owner = 'mine' | 'unassigned' | '';

export interface InboxFilters {
  owner?: string;
  state?: string;
  bot?: string;
  q?: string;
}

/**
 * Returns the inbox entries that match the filters; visitors who have waited longest come first.
 * @param memberId id of the user; null while unknown
 */
export function filterInbox(
  entries: readonly InboxEntry[],
  { owner, state, bot, q = '' }: InboxFilters,
  memberId: string | null,
): InboxEntry[] {
  return entries
    .filter(
      ({ item }) =>
        isOwnedBy(item, owner, memberId) &&
        (state !== 'present' || item.visitor_present) &&
        (!bot || item.bot_id === bot) &&
        containsText(item, q.trim().toLowerCase()),
    )
    .sort((a, b) => getSortKey(a.item).localeCompare(getSortKey(b.item)));
}

function isOwnedBy(item: InboxItem, owner: string | undefined, memberId: string | null): boolean {
  if (owner === 'mine') return memberId !== null && item.assigned_to_id === memberId;
  if (owner === 'unassigned') return item.assigned_to_id === null;
  return true;
}

function containsText(item: InboxItem, text: string): boolean {
  if (text === '') return true;
  const { contact_email: email, first_question: question, handoff_reason: reason, title } = item;
  return [
    getConversationName(item),
    email,
    question,
    reason,
    title,
    item.last_visitor_message,
    item.last_message,
  ]
    .filter((each) => each !== null && each !== undefined)
    .some((each) => each.toLowerCase().includes(text));
}

function getSortKey({ handoff_requested_at: requestedAt, id }: InboxItem): string {
  return `${requestedAt ?? ''} ${id}`;
}
