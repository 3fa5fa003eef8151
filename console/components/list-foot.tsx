import { Button } from '@mantine/core';
import type { List } from '../state/use-list.ts';
import { formatCount } from './format-count.ts';

export interface ListFootProps<T> {
  list: List<T>;
  /** Noun for the items of the list, in the singular. */
  noun: string;
}

/** Foot of a list: the number of shown items, and a button that loads more. */
export function ListFoot<T>({
  list: { rows = [], total, hasMore, isLoadingMore, loadMore },
  noun,
}: ListFootProps<T>) {
  return (
    <div className="list-foot">
      <span>
        {rows.length} of {formatCount(total, noun)}
      </span>
      {hasMore && (
        <Button variant="default" size="xs" loading={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </div>
  );
}
