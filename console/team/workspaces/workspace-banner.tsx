import { path } from '../../client/paths.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import type { Org } from '../../client/types.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { useSwitch } from './use-switch.ts';

/** Says that this is a workspace below another one of whoever has signed in, and leads back there. */
export function WorkspaceBanner() {
  const { me, client } = useSession();
  const { organization: here, session_id: sessionId } = me.data ?? {};
  const id = sessionId ? here?.id : undefined;
  const { data: above } = useLoad(async (signal) => (id ? aboveOf(client, id, signal) : null), [client, id]);
  const change = useSwitch();
  if (!above || !here) return null;
  return (
    <aside class="where" aria-label="Where you are">
      <span>
        You are working in <strong>{here.name}</strong>, a workspace below {above.name}.
      </span>
      <button type="button" disabled={change.isBusy} onClick={() => change.run(above.id)}>
        <span>Back to {above.name}</span>
      </button>
    </aside>
  );
}

/** Null for people who have no rights above. */
async function aboveOf(client: Client, id: string, signal: AbortSignal): Promise<Org | null> {
  const read = (orgId: string) => client.get<Org>(path`/api/orgs/${orgId}`, signal);
  const { parent_org_id: parentId } = await read(id);
  if (parentId === null) return null;
  return read(parentId).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  });
}
