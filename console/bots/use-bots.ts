import type { BotRead, Page } from '../client/types.ts';
import { useApi } from '../state/use-api.ts';

const none: BotRead[] = [];

/** Returns the names of bots by id. */
export function useBotNames(): ReadonlyMap<string, string> {
  return new Map(useBots().map(({ id, name }) => [id, name]));
}

/** Returns the 100 newest bots; an empty list if the API key may not read bots. */
export function useBots(): BotRead[] {
  const { data } = useApi<Page<BotRead>>('/api/bots?page_size=100');
  return data?.items ?? none;
}
