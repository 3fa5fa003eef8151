import type { BotRead, Page } from '../client/types.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';

/** Names of bots by id. */
export function useBotNames(): ReadonlyMap<string, string> {
  return new Map(useBots().map(({ id, name }) => [id, name]));
}

/** The newest bots, for selection; empty if the API key may not read them. */
export function useBots(): BotRead[] {
  const { client } = useSession();
  const { data } = useLoad(
    (signal) => client.get<Page<BotRead>>('/api/bots?page_size=100', signal),
    [client],
  );
  return data?.items ?? [];
}
