import { useNow } from '../../state/use-now.ts';
import { formatCount } from '../../components/format-count.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { InboxEntry } from './inbox-feed.ts';
import { LastMessage } from './last-message.tsx';
import { getConversationName } from './conversation-name.ts';

export interface InboxRowProps {
  entry: InboxEntry;
  /** Name of the bot; undefined if it is unknown. */
  botName: string | undefined;
  href: string;
  isCurrent: boolean;
  isMine: boolean;
  isUnread: boolean;
}

export function InboxRow({ entry, botName, href, isCurrent, isMine, isUnread }: InboxRowProps) {
  const { item } = entry;
  const name = getConversationName(item);
  const about = item.handoff_reason ?? item.title;
  return (
    <li>
      <a
        className={isUnread ? 'inbox-row unread' : 'inbox-row'}
        href={href}
        aria-current={isCurrent ? 'true' : undefined}
        data-id={item.id}
      >
        <span className="row-head">
          <strong dir="auto">{name}</strong>
          <span className="hint">
            <RelativeTime at={item.last_message_at} />
          </span>
        </span>
        <span className="row-text">
          <LastMessage item={item} />
        </span>
        {about !== null && about !== name && (
          <span className="row-text reason" dir="auto">
            {about}
          </span>
        )}
        <span className="row-foot">
          {item.assigned_to_id === null ? (
            <span className="badge bad">
              waiting <Waiting entry={entry} />
            </span>
          ) : (
            <span className="badge busy">{isMine ? 'yours' : (item.assigned_to_name ?? 'a colleague')}</span>
          )}
          {isUnread && <span className="badge news">unread</span>}
          <Presence isPresent={item.visitor_present} />
        </span>
        <span className="row-foot hint">
          <span className="row-text">{botName}</span>
          <span>{formatCount(item.message_count, 'message')}</span>
        </span>
      </a>
    </li>
  );
}

function Presence({ isPresent }: { isPresent: boolean }) {
  return (
    <span className={isPresent ? 'presence here' : 'presence'}>{isPresent ? 'is there' : 'has left'}</span>
  );
}

/** Shows how long the visitor has waited: the time that the API reported plus the time since its response. */
function Waiting({ entry: { item, receivedAt } }: { entry: InboxEntry }) {
  const now = useNow(1000);
  return <time>{formatDuration(item.waiting_seconds + (now - receivedAt) / 1000)}</time>;
}
