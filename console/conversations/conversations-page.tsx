import { useState } from 'react';
import type { ConversationRead } from '../client/types.ts';
import { usePages } from '../state/use-pages.ts';
import { goTo, buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Page } from '../components/page.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ConversationFilters } from './conversation-filters.tsx';
import { ExportContacts } from './export-contacts.tsx';
import { ConversationTable } from './conversation-table.tsx';

export interface ConversationsPageProps {
  /** Filters of the list, with the names of the API's query parameters. */
  filters: Record<string, string>;
}

export function ConversationsPage({ filters }: ConversationsPageProps) {
  const { client } = useSession();
  const pages = usePages<ConversationRead>(client, '/api/conversations', {
    sort: 'last_message',
    ...filters,
  });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const filterBy = (changed: Record<string, string>): void => {
    setSelected(new Set());
    goTo(buildHref(['conversations'], { ...filters, ...changed }));
  };
  return (
    <Page title="Conversations" tools={<ExportContacts />}>
      <ConversationFilters filters={filters} onChange={filterBy} />
      <BulkBar
        selected={selected}
        onDone={(left) => {
          setSelected(left);
          pages.reload();
        }}
      />
      <LoadedView loaded={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="empty">
              {Object.keys(filters).length === 0
                ? 'There are no conversations yet. They appear as soon as visitors talk to a bot.'
                : 'No conversation fits these filters.'}
            </p>
          ) : (
            <ConversationTable conversations={items} selected={selected} onSelect={setSelected} />
          )
        }
      </LoadedView>
      <MoreButton
        pages={pages}
        noun={filters['has_visitor_message'] === 'true' ? 'conversation' : 'session'}
      />
    </Page>
  );
}
