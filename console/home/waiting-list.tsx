import { Anchor } from '@mantine/core';
import type { Bot, InboxItem } from '../client/types.ts';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { Section } from '../components/page/section.tsx';
import { getConversationName } from '../conversations/inbox/conversation-name.ts';
import { useInboxCounts } from '../conversations/inbox/use-inbox-counts.ts';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { IconCheck } from '../shell/notice-icons.ts';
import { useStore } from '../state/use-store.ts';

const MAX_SHOWN = 6;

/**
 * Lists conversations that wait for a person, and the user's conversations with unread messages. The longest
 * wait is first.
 */
export function WaitingList({ bots }: { bots: readonly Bot[] }) {
  const { feed } = useSession();
  const { entries } = useStore(feed.state);
  const { isUnread } = useInboxCounts();
  const items = [...entries.values()]
    .map(({ item }) => item)
    .filter((item) => item.assigned_to_id === null || isUnread(item))
    .toSorted((a, b) => getStart(a).localeCompare(getStart(b)));
  return (
    <Section title="Waiting for you" tools={<Anchor href={buildHref(['inbox'])}>Open inbox</Anchor>}>
      {items.length === 0 ? (
        <p className="home-calm">
          <IconCheck /> You're all caught up.
        </p>
      ) : (
        <ul className="home-rows">
          {items.slice(0, MAX_SHOWN).map((item) => (
            <li key={item.id}>
              <a href={buildHref(['inbox', item.id])}>
                <span className="home-row-text">
                  <strong dir="auto">{getConversationName(item)}</strong>
                  <span className="hint" dir="auto">
                    {item.last_visitor_message ?? item.first_question ?? 'No messages yet'}
                  </span>
                </span>
                <span className="home-row-end">
                  <RelativeTime at={getStart(item)} />
                  <span className="hint">{bots.find(({ id }) => id === item.bot_id)?.name}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Returns the time since which the visitor of a conversation waits. */
function getStart({ handoff_requested_at: requestedAt, last_message_at: lastAt }: InboxItem): string {
  return requestedAt ?? lastAt ?? '';
}
