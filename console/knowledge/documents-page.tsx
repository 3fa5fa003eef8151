import { ActionIcon, CloseButton, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { path } from '../client/paths.ts';
import type { KnowledgeDocument } from '../client/types.ts';
import { EmptyState } from '../components/lists/empty-state.tsx';
import { ListView } from '../components/lists/list-view.tsx';
import { IconKnowledge } from '../bots/icons.ts';
import { buildHref, goTo, replaceWith } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';
import { IconRefresh, IconSearch } from '../shell/icons.ts';
import { useDebounced } from '../state/use-debounced.ts';
import { useList } from '../state/use-list.ts';
import { useRoute } from '../state/use-route.ts';
import { AddKnowledge } from './add-knowledge.tsx';
import { DocumentDrawer } from './document-drawer.tsx';
import { DocumentTable } from './document-table.tsx';
import { documentWords } from './document-words.ts';
import { SearchReadiness } from './search-readiness.tsx';

const TYPING_MS = 250;

const statuses = [
  { value: '', label: 'All' },
  ...(['indexed', 'processing', 'pending', 'failed'] as const).map((status) => ({
    value: status,
    label: documentWords[status][1],
  })),
];

/** Page with the documents from which a bot answers. */
export function DocumentsPage({ botId }: { botId: string }) {
  const { query } = useRoute();
  const { document: opened, mode: _mode, ...filters } = query;
  const url = path`/api/bots/${botId}/knowledge`;
  const mayWrite = usePermission()('knowledge:write', 'member');
  const toHref = (changed: Record<string, string | undefined>): string =>
    buildHref(['bots', botId, 'knowledge'], { ...filters, ...changed });
  const isFiltered = Boolean(filters['status'] ?? filters['q']);
  // Request only documents without a parent, unless the list is filtered: the pages of a website are listed
  // below the website.
  const list = useList<KnowledgeDocument>(url, { ...filters, ...(!isFiltered && { parent_id: 'none' }) });
  const isEmpty = !isFiltered && list.data?.length === 0;
  return (
    <div className="knowledge">
      {mayWrite && <AddKnowledge url={url} onAdded={list.reload} />}
      <div className="knowledge-filters">
        {!isEmpty && (
          <>
            <SearchField
              key={filters['status']}
              applied={filters['q'] ?? ''}
              onSearch={(q) => replaceWith(toHref({ q }))}
            />
            <SegmentedControl
              size="xs"
              aria-label="Status"
              value={filters['status'] ?? ''}
              data={statuses}
              onChange={(status) => goTo(toHref({ status }))}
            />
          </>
        )}
        <ActionIcon variant="default" size={30} aria-label="Refresh" onClick={list.reload}>
          <IconRefresh size={16} />
        </ActionIcon>
        <SearchReadiness url={url} />
      </div>
      <ListView
        list={list}
        noun="document"
        filters={isFiltered ? filters : {}}
        clearHref={buildHref(['bots', botId, 'knowledge'])}
        empty={
          <EmptyState icon={<IconKnowledge size={32} />} title="No knowledge yet">
            Add files, your website or text. The bot answers from them and cites them as sources.
          </EmptyState>
        }
      >
        {(documents) => (
          <DocumentTable
            key={JSON.stringify(filters)}
            url={url}
            documents={documents}
            toHref={(id) => toHref({ document: id })}
            onChange={list.replace}
            onReload={list.reload}
          />
        )}
      </ListView>
      <DocumentDrawer
        url={url}
        id={opened}
        botId={botId}
        onChange={list.replace}
        onClose={() => goTo(toHref({ document: undefined }))}
      />
    </div>
  );
}

interface SearchFieldProps {
  applied: string;
  onSearch(text: string): void;
}

/** Search field of the list of documents, whose text applies after a short pause. */
function SearchField({ applied, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(applied);
  const settled = useDebounced(typed.trim(), TYPING_MS);
  useEffect(() => {
    if (settled !== applied) onSearch(settled);
  }, [settled]);
  return (
    <TextInput
      className="knowledge-search"
      type="search"
      aria-label="Search documents"
      placeholder="Search documents"
      leftSection={<IconSearch size={16} />}
      rightSection={
        typed !== '' && <CloseButton size="sm" aria-label="Clear search" onClick={() => setTyped('')} />
      }
      value={typed}
      maxLength={200}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
