import { useCallback } from 'react';
import type { Page } from '../client/types.ts';
import type { Client } from '../client/client.ts';
import { withQuery, type Query } from '../client/paths.ts';
import { useAction, type Action } from './use-action.ts';
import { useLoad, type Loaded } from './use-load.ts';

interface Rows<T> {
  items: T[];
  total: number;
  nextCursor: string | null;
}

export interface Pages<T> extends Loaded<Rows<T>> {
  more: Action<[]>;
  /** Replaces the row that has the same id. */
  replace(row: T): void;
}

/** Loads a list of the API page by page, when the user asks for more. */
export function usePages<T extends { id: string }>(client: Client, url: string, filters: Query): Pages<T> {
  const read = useCallback(
    async (cursor: string | null, signal?: AbortSignal): Promise<Rows<T>> => {
      const page = await client.get<Page<T>>(withQuery(url, { ...filters, cursor }), signal);
      return { items: page.items, total: page.total, nextCursor: page.next_cursor };
    },
    [client, withQuery(url, filters)],
  );
  const loaded = useLoad((signal) => read(null, signal), [read]);
  const { data, change } = loaded;
  const more = useAction(async () => {
    if (!data?.nextCursor) return;
    const next = await read(data.nextCursor);
    change(({ items }) => ({ ...next, items: [...items, ...next.items] }));
  });
  const replace = (row: T): void =>
    change((rows) => ({ ...rows, items: rows.items.map((each) => (each.id === row.id ? row : each)) }));
  return { ...loaded, more, replace };
}
