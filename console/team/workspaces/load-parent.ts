import { path } from '../../client/paths.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import type { Org } from '../../client/types.ts';

/** Loads the next higher workspace. Returns null if there is none, or if the user has no role in it. */
export async function loadParent(client: Client, id: string, signal?: AbortSignal): Promise<Org | null> {
  const fetchOrg = (orgId: string) => client.get<Org>(path`/api/orgs/${orgId}`, signal);
  const { parent_org_id: parentId } = await fetchOrg(id);
  if (parentId === null) return null;
  return fetchOrg(parentId).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  });
}
