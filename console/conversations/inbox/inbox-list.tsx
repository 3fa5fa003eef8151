import { Anchor } from '@mantine/core';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { RowSkeletons } from '../../components/page/page-skeleton.tsx';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { IconInbox, IconSearch } from '../../shell/icons.ts';
import { useStore } from '../../state/use-store.ts';
import type { InboxEntry } from './inbox-feed.ts';
import { InboxRow } from './inbox-row.tsx';
import { useInboxCounts } from './use-inbox-counts.ts';

export interface InboxListProps {
  /** Inbox entries that match the filters. */
  entries: readonly InboxEntry[];
  currentId: string | undefined;
  filters: Record<string, string>;
  onClear(): void;
}

export function InboxList({ entries, currentId, filters, onClear }: InboxListProps) {
  const { feed } = useSession();
  const { connection, problem, entries: all, total, memberId, isLoaded } = useStore(feed.state);
  const { isUnread } = useInboxCounts();
  // While the connection to the event stream is being restored, the page's title shows the error, not this
  // list.
  const isShownHere =
    connection === 'live' || connection === 'refused' || problem?.code === 'key_unavailable';
  return (
    <div className="inbox-rows">
      <ProblemMessage problem={isShownHere ? problem : null} onRetry={() => feed.reload()} />
      {!isLoaded && all.size === 0 && problem === null && <RowSkeletons />}
      {entries.length === 0 && isLoaded && problem === null && (
        <NoRows isFiltered={all.size > 0} onClear={onClear} />
      )}
      <ul>
        {entries.map((entry) => (
          <InboxRow
            key={entry.item.id}
            entry={entry}
            href={buildHref(['inbox', entry.item.id], filters)}
            isCurrent={entry.item.id === currentId}
            isUnread={isUnread(entry.item)}
            isMine={memberId !== null && entry.item.assigned_to_id === memberId}
          />
        ))}
      </ul>
      {total > all.size && (
        <p className="rows-note">
          Showing {all.size} of {total}, longest waiting first
        </p>
      )}
    </div>
  );
}

function NoRows({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  return isFiltered ? (
    <EmptyState
      icon={<IconSearch size={28} />}
      title="No results"
      action={
        <Anchor component="button" onClick={onClear}>
          Clear filters
        </Anchor>
      }
    >
      No conversations match your filters.
    </EmptyState>
  ) : (
    <EmptyState icon={<IconInbox size={28} />} title="You're all caught up">
      New handoff requests will appear here.
    </EmptyState>
  );
}
