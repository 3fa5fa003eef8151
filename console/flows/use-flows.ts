import { withQuery } from '../client/paths.ts';
import type { Flow } from '../client/types.ts';
import type { Client } from '../client/client.ts';
import { useLoaded, type Cached } from '../state/use-loaded.ts';
import { useSession } from '../session/session.tsx';

const AT_ONCE = 50;

/** Loads all flows of a bot, newest first. */
export function useFlows(botId: string): Cached<Flow[]> {
  const { client } = useSession();
  return useLoaded(['flows', botId], (signal) => listFlows(client, botId, signal), { reloadsOnVisit: true });
}

/** Loads all pages of the list of flows at once: a bot can have only a limited number of flows. */
async function listFlows(client: Client, botId: string, signal: AbortSignal): Promise<Flow[]> {
  const flows: Flow[] = [];
  for (;;) {
    const before = flows.at(-1)?.id;
    const more = await client.get<Flow[]>(
      withQuery('/api/flows', { bot_id: botId, limit: AT_ONCE, before }),
      signal,
    );
    flows.push(...more);
    if (more.length < AT_ONCE) return flows;
  }
}
