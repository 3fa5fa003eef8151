import { Button } from '@mantine/core';
import { useState } from 'react';
import { useBotNames, useBots } from '../bots/use-bots.ts';
import type { Conversation } from '../client/types.ts';
import { EmptyState } from '../components/lists/empty-state.tsx';
import { FilterBar } from '../components/lists/filter-bar.tsx';
import { ListView } from '../components/lists/list-view.tsx';
import { Page } from '../components/page/page.tsx';
import { buildHref, goTo } from '../router.ts';
import { IconConversations } from '../shell/icons.ts';
import { useList } from '../state/use-list.ts';
import { BulkBar } from './bulk-bar.tsx';
import { listConversationFilters } from './conversation-filters.ts';
import { ConversationTable } from './conversation-table.tsx';
import { SavedViews, SaveViewButton } from './saved-views.tsx';

export interface ConversationsPageProps {
  /** Filters of the list of conversations, with the names of the API's query parameters. */
  filters: Record<string, string>;
}

const none: ReadonlySet<string> = new Set();

export function ConversationsPage({ filters }: ConversationsPageProps) {
  const list = useList<Conversation>('/api/conversations', { sort: 'last_message', ...filters });
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
      <ListView
        list={list}
        noun="conversation"
        empty={<NoConversations />}
        filters={filters}
        clearHref={buildHref(['conversations'])}
      >
        {(rows) => (
          <ConversationTable
            conversations={rows}
            botNames={botNames}
            selected={selected}
            onSelect={setSelected}
            order={filters['sort'] === 'started' ? 'started' : 'last_message'}
            onOrder={(sort) => filterBy({ sort: sort === 'started' ? sort : '' })}
          />
        )}
      </ListView>
      <BulkBar
        selected={selected}
        shown={list.data?.length ?? 0}
        onSelectAll={() => setSelected(new Set(list.data?.map(({ id }) => id)))}
        onClear={() => setSelected(none)}
        onDone={(remaining) => {
          setSelected(remaining);
          list.reload();
        }}
      />
    </Page>
  );
}

function NoConversations() {
  return (
    <EmptyState
      icon={<IconConversations size={32} />}
      title="No conversations yet"
      action={
        <Button component="a" href={buildHref(['bots'])}>
          View bots
        </Button>
      }
    >
      Conversations appear here when visitors chat with your bot.
    </EmptyState>
  );
}
