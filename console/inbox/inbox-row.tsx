import { useNow } from '../hooks/use-now.ts';
import { countText } from '../ui/count-text.ts';
import { durationText } from '../ui/duration-text.ts';
import type { InboxEntry } from './inbox-feed.ts';
import { visitorName } from './visitor-name.ts';

export interface InboxRowProps {
  entry: InboxEntry;
  /** Undefined where it is not known. */
  botName: string | undefined;
  href: string;
  isCurrent: boolean;
  isMine: boolean;
}

export function InboxRow({ entry, botName, href, isCurrent, isMine }: InboxRowProps) {
  const { item } = entry;
  return (
    <li>
      <a class="inbox-row" href={href} aria-current={isCurrent ? 'true' : undefined} data-id={item.id}>
        <span class="row-head">
          <strong>{visitorName(item)}</strong>
          <Presence isPresent={item.visitor_present} />
        </span>
        <span class="row-text">{item.handoff_reason ?? item.title ?? 'Asked for a person'}</span>
        {botName !== undefined && <span class="row-text hint">{botName}</span>}
        <span class="row-foot">
          {item.assigned_to_id === null ? (
            <span class="badge bad">
              waiting <Waiting entry={entry} />
            </span>
          ) : (
            <span class="badge busy">{isMine ? 'yours' : (item.assigned_to_name ?? 'a colleague')}</span>
          )}
          <span class="hint">{countText(item.message_count, 'message')}</span>
        </span>
      </a>
    </li>
  );
}

function Presence({ isPresent }: { isPresent: boolean }) {
  return <span class={isPresent ? 'presence here' : 'presence'}>{isPresent ? 'is there' : 'has left'}</span>;
}

/** Counts on by this computer's clock from what the API said. */
function Waiting({ entry: { item, receivedAt } }: { entry: InboxEntry }) {
  const now = useNow(1000);
  return <time>{durationText(item.waiting_seconds + (now - receivedAt) / 1000)}</time>;
}
