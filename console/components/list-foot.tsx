import { Button } from '@mantine/core';
import type { List } from '../state/use-list.ts';
import { formatCount } from './format-count.ts';

export interface ListFootProps<T> {
  list: List<T>;
  /** Noun for the items of the list, in the singular. */
  noun: string;
  /** Plural of the noun; by default the noun with an s. */
  plural?: string;
}

/** Foot of a list: the number of shown items, and a button that loads more. */
export function ListFoot<T>({
  list: { rows = [], total, hasMore, isLoadingMore, loadMore },
  noun,
  plural,
}: ListFootProps<T>) {
  return (
    <div className="list-foot">
      <span>
        {rows.length} of {formatCount(total, noun, plural)}
      </span>
      {hasMore && (
        <Button variant="default" size="xs" loading={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </div>
  );
}
