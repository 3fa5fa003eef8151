import type { Bot, Page } from '../client/types.ts';
import { useApi } from '../state/use-api.ts';

const none: Bot[] = [];

/** Returns the names of bots by id. */
export function useBotNames(): ReadonlyMap<string, string> {
  return new Map(useBots().map(({ id, name }) => [id, name]));
}

/** Returns the 100 newest bots; an empty list if the API key may not read bots. */
export function useBots(): Bot[] {
  const { data } = useApi<Page<Bot>>('/api/bots?page_size=100');
  return data?.items ?? none;
}
