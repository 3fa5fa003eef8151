import { Anchor, Button } from '@mantine/core';
import { useState } from 'react';
import { useBotNames, useBots } from '../bots/use-bots.ts';
import type { ConversationRead } from '../client/types.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { ListFoot } from '../components/list-foot.tsx';
import { RowSkeletons } from '../components/page-skeleton.tsx';
import { Page } from '../components/page.tsx';
import { ProblemMessage } from '../components/problem-message.tsx';
import { buildHref, goTo } from '../router.ts';
import { IconConversations, IconSearch } from '../shell/icons.ts';
import { useList } from '../state/use-list.ts';
import { BulkBar } from './bulk-bar.tsx';
import { listConversationFilters } from './conversation-filters.ts';
import { ConversationTable } from './conversation-table.tsx';
import { SavedViews, SaveViewButton } from './saved-views.tsx';

export interface ConversationsPageProps {
  /** Filters of the list, with the names of the API's query parameters. */
  filters: Record<string, string>;
}

const none: ReadonlySet<string> = new Set();

export function ConversationsPage({ filters }: ConversationsPageProps) {
  const list = useList<ConversationRead>('/api/conversations', { sort: 'last_message', ...filters });
  const { rows, problem } = list;
  const [selected, setSelected] = useState(none);
  const bots = useBots();
  const botNames = useBotNames();
  const filterBy = (changed: Record<string, string>): void => {
    setSelected(none);
    goTo(buildHref(['conversations'], { ...filters, ...changed }));
  };
  return (
    <Page title="Conversations" tabs={<SavedViews page="conversations" filters={filters} />}>
      <FilterBar
        search="Search messages or visitors"
        filters={listConversationFilters(bots)}
        values={filters}
        onChange={filterBy}
      >
        <SaveViewButton page="conversations" filters={filters} />
      </FilterBar>
      <ProblemMessage problem={problem} onRetry={list.reload} />
      {rows === undefined && problem === null && <RowSkeletons />}
      {rows?.length === 0 && <NoConversations isFiltered={Object.keys(filters).length > 0} />}
      {rows !== undefined && rows.length > 0 && (
        <>
          <ConversationTable
            conversations={rows}
            botNames={botNames}
            selected={selected}
            onSelect={setSelected}
            order={filters['sort'] === 'started' ? 'started' : 'last_message'}
            onOrder={(sort) => filterBy({ sort: sort === 'started' ? sort : '' })}
          />
          <ListFoot list={list} noun="conversation" />
        </>
      )}
      <BulkBar
        selected={selected}
        shown={rows?.length ?? 0}
        onSelectAll={() => setSelected(new Set(rows?.map(({ id }) => id)))}
        onClear={() => setSelected(none)}
        onDone={(left) => {
          setSelected(left);
          list.reload();
        }}
      />
    </Page>
  );
}

function NoConversations({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState
      icon={<IconSearch size={32} />}
      title="No results"
      action={<Anchor href={buildHref(['conversations'])}>Clear filters</Anchor>}
    >
      No conversations match your filters.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<IconConversations size={32} />}
      title="No conversations yet"
      action={
        <Button component="a" href={buildHref(['bots'])}>
          View bots
        </Button>
      }
    >
      They'll show up when visitors chat with your bot.
    </EmptyState>
  );
}
