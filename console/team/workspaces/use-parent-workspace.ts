import { path } from '../../client/paths.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import type { Org } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { useLoaded } from '../../state/use-loaded.ts';

/**
 * Loads the next higher workspace in the hierarchy. Returns null if no workspace is above, or if the user has
 * no role in it.
 */
async function loadParent(client: Client, id: string, signal: AbortSignal): Promise<Org | null> {
  const fetchOrg = (orgId: string) => client.get<Org>(path`/api/orgs/${orgId}`, signal);
  const { parent_org_id: parentId } = await fetchOrg(id);
  if (parentId === null) return null;
  return fetchOrg(parentId).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  });
}

/**
 * Returns the next higher workspace in the hierarchy; null if the user has access to none, undefined until
 * known.
 * @param id undefined to load nothing
 */
export function useParentWorkspace(id: string | undefined): Org | null | undefined {
  const { client } = useSession();
  const { data } = useLoaded(['parent workspace', id], (signal) => loadParent(client, id!, signal), {
    isEnabled: id !== undefined,
    staleMs: Number.POSITIVE_INFINITY,
  });
  return data;
}
