import { useQuery, useQueryClient } from '@tanstack/react-query';
import { path } from '../client/paths.ts';
import type { BotRead } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { getProblem } from '../state/queries.ts';
import type { Loaded } from '../state/use-load.ts';

/** Loads a bot. Pages of the bot share the response. */
export function useBot(id: string): Loaded<BotRead> {
  const queries = useQueryClient();
  const url = path`/api/bots/${id}`;
  const { client } = useSession();
  const bot = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => client.get<BotRead>(url, signal),
    // Colleagues may have changed the bot since.
    refetchOnMount: 'always',
  });
  return {
    data: bot.data,
    problem: getProblem(bot),
    isLoading: bot.isFetching,
    reload: () => void bot.refetch(),
    set: (changed) => void queries.setQueryData([url], changed),
    change: (change) => void queries.setQueryData<BotRead>([url], (before) => before && change(before)),
  };
}
