import { Drawer } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { capitalize } from '../../components/text/capitalize.ts';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { ListView } from '../../components/lists/list-view.tsx';
import { buildHref } from '../../router.ts';
import { IconList } from '../../shell/icons.ts';
import type { List } from '../../state/use-list.ts';
import type { Team } from '../team.ts';

export const outcomes = [
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
] as const;

export interface LogPageProps {
  team: Team;
  /** Filters of the log, with the names of the API's query parameters. */
  filters: Record<string, string>;
}

export interface LogViewProps<T> extends Pick<LogPageProps, 'filters'> {
  list: List<T>;
  /** Accessible name of the log's table. */
  label: string;
  /** Noun for an entry of the log, which is also the title of its details. */
  noun: string;
  /** URL segment of the log's page, for the link that clears the filters. */
  tab: string;
  /** Sentence that is shown for a log without entries. */
  empty: string;
  /** Returns the columns of the log's table. The first column opens the details of an entry. */
  createColumns(open: (entry: T) => void): readonly DataColumn<T>[];
  renderDetails(entry: T): ReactNode;
}

/** Table of a log's entries, and a drawer with the details of an entry. */
export function LogView<T extends { id: string }>(props: LogViewProps<T>) {
  const { list, filters, label, noun, tab, empty, createColumns, renderDetails } = props;
  const [opened, setOpened] = useState<T | null>(null);
  return (
    <>
      <ListView
        list={list}
        noun={noun}
        filters={filters}
        clearHref={buildHref(['team', tab])}
        empty={
          <EmptyState icon={<IconList size={32} />} title={`No ${noun}s yet`}>
            {empty}
          </EmptyState>
        }
      >
        {(rows) => <DataTable label={label} rows={rows} columns={createColumns(setOpened)} />}
      </ListView>
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size={480}
        title={capitalize(noun)}
      >
        {opened !== null && renderDetails(opened)}
      </Drawer>
    </>
  );
}
