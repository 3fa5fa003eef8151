import type { Receipt } from '../../client/types.ts';
import { withQuery } from '../../client/paths.ts';
import { useAction, type Action } from '../../state/use-action.ts';
import { useLoad, type Loaded } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';

const PAGE_SIZE = 50;

export interface Receipts {
  items: Receipt[];
  hasMore: boolean;
}

/** Loads receipts, newest first, and older ones on request. */
export function useReceipts(): Loaded<Receipts> & { more: Action<[]> } {
  const { client } = useSession();
  const fetchReceipts = async (before: string | undefined, signal?: AbortSignal): Promise<Receipts> => {
    const url = withQuery('/api/billing/receipts', { limit: PAGE_SIZE, before });
    const items = await client.get<Receipt[]>(url, signal);
    return { items, hasMore: items.length === PAGE_SIZE };
  };
  const loaded = useLoad((signal) => fetchReceipts(undefined, signal), [client]);
  const { data, change } = loaded;
  const more = useAction(async () => {
    const next = await fetchReceipts(data?.items.at(-1)?.id);
    change(({ items }) => ({ items: [...items, ...next.items], hasMore: next.hasMore }));
  });
  return { ...loaded, more };
}
