import type { BotRead, Page } from '../client/types.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';

/** What bots are called, by id. */
export function useBotNames(): ReadonlyMap<string, string> {
  return new Map(useBots().map(({ id, name }) => [id, name]));
}

/** The newest bots, to choose one of; none where the key may not see them. */
export function useBots(): BotRead[] {
  const { client } = useSession();
  const { data } = useLoad(
    (signal) => client.get<Page<BotRead>>('/api/bots?page_size=100', signal),
    [client],
  );
  return data?.items ?? [];
}
