import { useBotNames } from '../../bots/use-bots.ts';
import { useStore } from '../../state/use-store.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { filterInbox } from './filter-inbox.ts';
import { useInboxCounts } from './use-inbox-counts.ts';
import { InboxRow } from './inbox-row.tsx';

export interface InboxListProps {
  currentId: string | undefined;
  filters: Record<string, string>;
}

export function InboxList({ currentId, filters }: InboxListProps) {
  const { feed } = useSession();
  const { connection, problem, entries, total, memberId } = useStore(feed.state);
  const { isUnread } = useInboxCounts();
  const botNames = useBotNames();
  const shown = filterInbox([...entries.values()], filters, memberId);
  // While the connection is being restored, the page shows its error next to the title, not here.
  const isShownHere =
    connection === 'live' || connection === 'refused' || problem?.code === 'key_unavailable';
  return (
    <>
      <ProblemMessage problem={isShownHere ? problem : null} onRetry={() => feed.reload()} />
      {shown.length === 0 && connection === 'live' && problem === null && (
        <p className="empty">
          {entries.size === 0
            ? 'No visitor waits. Visitors who ask for a person appear here at once.'
            : 'Nothing in the inbox fits these filters.'}
        </p>
      )}
      <ul className="rows">
        {shown.map((entry) => (
          <InboxRow
            key={entry.item.id}
            entry={entry}
            botName={botNames.get(entry.item.bot_id)}
            href={buildHref(['inbox', entry.item.id], filters)}
            isCurrent={entry.item.id === currentId}
            isUnread={isUnread(entry.item)}
            isMine={memberId !== null && entry.item.assigned_to_id === memberId}
          />
        ))}
      </ul>
      {total > entries.size && (
        <p className="hint">
          The {entries.size} that wait longest are shown, of {total}.
        </p>
      )}
    </>
  );
}
