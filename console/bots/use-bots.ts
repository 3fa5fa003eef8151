import type { BotRead, Page } from '../client/types.ts';
import { useLoad } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';

/** Returns the names of bots by id. */
export function useBotNames(): ReadonlyMap<string, string> {
  return new Map(useBots().map(({ id, name }) => [id, name]));
}

/** Returns the 100 newest bots; none if the API key may not read bots. */
export function useBots(): BotRead[] {
  const { client } = useSession();
  const { data } = useLoad(
    (signal) => client.get<Page<BotRead>>('/api/bots?page_size=100', signal),
    [client],
  );
  return data?.items ?? [];
}
