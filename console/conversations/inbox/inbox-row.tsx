import { Tooltip } from '@mantine/core';
import type { InboxItem } from '../../client/types.ts';
import { formatDuration } from '../../components/text/format-duration.ts';
import { formatFullTime } from '../../components/text/format-time.ts';
import { PersonAvatar } from '../../components/person-avatar.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { useNow } from '../../state/use-now.ts';
import type { InboxEntry } from './inbox-feed.ts';
import { LastMessage } from './last-message.tsx';
import { getConversationName, getKnownName } from './conversation-name.ts';

export interface InboxRowProps {
  entry: InboxEntry;
  href: string;
  isCurrent: boolean;
  isMine: boolean;
  isUnread: boolean;
}

/** Row of the inbox: who the visitor is, what the visitor said, and how long the visitor has waited. */
export function InboxRow({ entry, href, isCurrent, isMine, isUnread }: InboxRowProps) {
  const { item } = entry;
  const isWaiting = item.assigned_to_id === null;
  return (
    <li>
      <a
        className="inbox-row"
        href={href}
        aria-current={isCurrent ? 'true' : undefined}
        data-unread={isUnread || undefined}
        data-id={item.id}
      >
        <span className="avatar-frame" data-present={item.visitor_present || undefined}>
          <PersonAvatar name={getKnownName(item)} size={36} />
        </span>
        <span className="row-name" dir="auto">
          {getConversationName(item)}
          {item.visitor_present && <span className="unseen"> (online)</span>}
        </span>
        {isWaiting ? (
          <Waiting entry={entry} />
        ) : (
          <span className="row-time">
            <RelativeTime at={item.last_message_at} />
          </span>
        )}
        <span className="row-words">
          <MessagePreview item={item} />
        </span>
        <span className="row-signs">
          {isUnread && <span className="unread-dot">Unread</span>}
          {!isWaiting && <Assignee name={item.assigned_to_name ?? 'A teammate'} isMine={isMine} />}
        </span>
      </a>
    </li>
  );
}

/**
 * Shows what a waiting visitor wrote last. Once a member has claimed the conversation, shows the last message
 * of the visitor, the team or the bot.
 */
function MessagePreview({ item }: { item: InboxItem }) {
  const { last_visitor_message: words, handoff_reason: reason } = item;
  const text = words ?? reason;
  if (item.assigned_to_id !== null || text === null || text === undefined) return <LastMessage item={item} />;
  return <bdi>{text}</bdi>;
}

function Assignee({ name, isMine }: { name: string; isMine: boolean }) {
  const label = isMine ? 'Assigned to you' : `Assigned to ${name}`;
  return (
    <Tooltip label={label}>
      <span>
        <PersonAvatar name={name} size={20} />
        <span className="unseen">{label}</span>
      </span>
    </Tooltip>
  );
}

/** Shows how long the visitor has waited: the time that the API reported plus the time since its response. */
function Waiting({ entry: { item, receivedAt } }: { entry: InboxEntry }) {
  const now = useNow(1000);
  const { handoff_requested_at: at } = item;
  return (
    <span className="row-time" data-waiting title={at === null ? undefined : formatFullTime(at)}>
      <span className="unseen">Waiting </span>
      <time>{toLargestUnit(formatDuration(item.waiting_seconds + (now - receivedAt) / 1000))}</time>
    </span>
  );
}

/** Returns the largest unit of a duration: `18 min` of `18 min 05 s`. */
function toLargestUnit(duration: string): string {
  return duration.split(' ').slice(0, 2).join(' ');
}
