import { path } from '../client/paths.ts';
import type { Bot } from '../client/types.ts';
import { useApi } from '../state/use-api.ts';
import type { Cached } from '../state/use-loaded.ts';

/** Loads a bot. All pages about the bot share the response. */
export function useBot(id: string): Cached<Bot> {
  return useApi<Bot>(path`/api/bots/${id}`, { reloadsOnVisit: true });
}
