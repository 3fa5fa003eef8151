import { path } from '../../client/paths.ts';
import type { BotVersion } from '../../client/types.ts';
import { useHistory, type List } from '../../state/use-list.ts';

export const buildVersionsUrl = (botId: string) => path`/api/bots/${botId}/versions`;

/** Loads a bot's versions, newest first. */
export function useVersions(botId: string): List<BotVersion> {
  return useHistory<BotVersion>(buildVersionsUrl(botId), {}, ({ version }) => String(version));
}
