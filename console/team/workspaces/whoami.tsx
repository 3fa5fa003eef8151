import type { Me, Org } from '../../client/types.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { useSwitchWorkspace } from './use-switch-workspace.ts';

/** Shows the signed-in user and the current workspace. */
export function Whoami({ isAtAccount }: { isAtAccount: boolean }) {
  const { data: me } = useSession().me;
  if (me === undefined) return null;
  return (
    <span class="whoami">
      {me.session_id !== null && <WorkspaceChoice current={me.organization} />}
      <a
        href={buildHref(['account'])}
        title={`Your account: ${me.user.email}`}
        aria-current={isAtAccount ? 'page' : undefined}
      >
        {me.user.full_name}
      </a>
    </span>
  );
}

/** Select field that switches between the user's workspaces. */
function WorkspaceChoice({ current }: { current: Me['organization'] }) {
  const { client, me } = useSession();
  const { data: own = [] } = useLoad((signal) => client.get<Org[]>('/api/orgs', signal), [client, me.data]);
  const change = useSwitchWorkspace();
  const orgs = includePresent(own, current);
  if (orgs.length < 2) return <span>{current?.name}</span>;
  return (
    <select
      aria-label="Workspace"
      value={current?.id ?? ''}
      disabled={change.isBusy}
      onChange={(event) => change.run(event.currentTarget.value)}
    >
      {orgs.map(({ id, name }) => (
        <option key={id} value={id}>
          {id === current?.id ? current.name : name}
        </option>
      ))}
    </select>
  );
}

/**
 * Adds the current workspace to the list if it is missing. The user may work in it without a membership, as
 * an admin of a higher workspace.
 */
function includePresent(own: readonly Org[], here: Me['organization']): readonly Pick<Org, 'id' | 'name'>[] {
  const isListed = here === null || own.length === 0 || own.some(({ id }) => id === here.id);
  return isListed ? own : [...own, here];
}
