import { Anchor, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconSearch } from '../../shell/icons.ts';
import type { List } from '../../state/use-list.ts';
import { EmptyState } from './empty-state.tsx';
import { formatCount } from '../text/format-count.ts';
import { LoadedView } from './loaded-view.tsx';

export interface ListViewProps<T> extends ListFootProps<T> {
  /** Shown if the list has no rows and no filter is active. */
  empty: ReactNode;
  filters?: Readonly<Record<string, string>>;
  /** URL of the list without filters. */
  clearHref?: string;
  children(rows: readonly T[]): ReactNode;
}

/** Renders the rows of a list and its footer, or a message if the list has no rows. */
export function ListView<T>(props: ListViewProps<T>) {
  const { list, noun, plural = `${noun}s`, empty, filters = {}, clearHref, children } = props;
  return (
    <LoadedView loaded={list}>
      {(rows) => {
        if (rows.length > 0)
          return (
            <>
              {children(rows)}
              <ListFoot list={list} noun={noun} plural={plural} />
            </>
          );
        return Object.keys(filters).length === 0 ? (
          empty
        ) : (
          <EmptyState
            icon={<IconSearch size={32} />}
            title="No results"
            action={<Anchor href={clearHref ?? ''}>Clear filters</Anchor>}
          >
            {`No ${plural} match your filters.`}
          </EmptyState>
        );
      }}
    </LoadedView>
  );
}

export interface ListFootProps<T> {
  list: List<T>;
  /** Noun for the items of the list, in the singular, such as `bot`. */
  noun: string;
  /** Plural of the noun; by default the noun with an s. */
  plural?: string;
}

/** Footer of a list: the number of shown items, and a button that loads more. */
export function ListFoot<T>({
  list: { data = [], total, hasMore, isLoadingMore, loadMore },
  noun,
  plural,
}: ListFootProps<T>) {
  const count = formatCount(total ?? data.length, noun, plural);
  return (
    <div className="list-foot">
      <span>{total === null ? count : `${data.length} of ${count}`}</span>
      {hasMore && (
        <Button variant="default" size="xs" loading={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </div>
  );
}
