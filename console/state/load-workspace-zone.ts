import { ApiError } from '../client/api-error.ts';
import type { Client } from '../client/client.ts';
import { path } from '../client/paths.ts';
import type { Org } from '../client/types.ts';
import { browserTimeZone } from '../components/zones/time-zones.ts';

/**
 * Loads the time zone of the workspace. Returns the browser's time zone if the workspace has none, or if the
 * API key may not read it.
 */
export async function loadWorkspaceZone(
  client: Client,
  orgId: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (orgId === undefined) return browserTimeZone;
  try {
    const { settings } = await client.get<Org>(path`/api/orgs/${orgId}`, signal);
    return settings?.time_zone ?? browserTimeZone;
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) return browserTimeZone;
    throw error;
  }
}
