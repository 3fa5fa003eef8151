import { withQuery } from '../../client/paths.ts';
import type { Conversation, Page } from '../../client/types.ts';
import { usePermission } from '../../session/use-permission.ts';
import { useApi } from '../../state/use-api.ts';

export interface LastVisit {
  isLoaded: boolean;
  /** Host of the website with the newest chat; null if no chat exists. */
  host: string | null;
  at: string | null;
}

const MAX_CONVERSATIONS = 20;
const EVERY_MS = 10_000;

/** Finds the website on which a visitor last chatted with the bot. */
export function useLastVisit(botId: string): LastVisit {
  const mayRead = usePermission()('conversations:read', 'viewer');
  const { data } = useApi<Page<Conversation>>(
    mayRead ? withQuery('/api/conversations', { bot_id: botId, page_size: MAX_CONVERSATIONS }) : null,
    { everyMs: () => EVERY_MS },
  );
  const last = data?.items.find(({ page_url: url }) => url !== null && URL.canParse(url));
  return {
    isLoaded: data !== undefined,
    host: last ? new URL(last.page_url!).host : null,
    at: last?.started_at ?? null,
  };
}
