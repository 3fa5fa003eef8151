import { path, withQuery } from '../../client/paths.ts';
import type { BotVersion } from '../../client/types.ts';
import { useAction, type Action } from '../../state/use-action.ts';
import { useLoad, type Loaded } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';

interface LoadedVersions {
  versions: BotVersion[];
  /** Whether the bot may have versions older than the loaded ones. */
  hasMore: boolean;
}

export interface Versions extends Loaded<LoadedVersions> {
  more: Action<[]>;
}

const LIMIT = 50;

export const buildVersionsUrl = (botId: string) => path`/api/bots/${botId}/versions`;

/**
 * Loads a bot's versions, newest first.
 * @param changedAt time of the bot's last change; a new value reloads the versions
 */
export function useVersions(botId: string, changedAt?: string): Versions {
  const { client } = useSession();
  const url = buildVersionsUrl(botId);
  const fetchVersions = async (before?: number, signal?: AbortSignal): Promise<LoadedVersions> => {
    const versions = await client.get<BotVersion[]>(withQuery(url, { before, limit: LIMIT }), signal);
    return { versions, hasMore: versions.length === LIMIT };
  };
  const loaded = useLoad((signal) => fetchVersions(undefined, signal), [client, url, changedAt]);
  const { data, change } = loaded;
  const more = useAction(async () => {
    const older = await fetchVersions(data?.versions.at(-1)?.version);
    change(({ versions }) => ({ ...older, versions: [...versions, ...older.versions] }));
  });
  return { ...loaded, more };
}
