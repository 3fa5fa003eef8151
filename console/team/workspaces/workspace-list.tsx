import { useState } from 'preact/hooks';
import type { HierarchyNode } from '../../client/types.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { TextField } from '../../ui/fields.tsx';
import { LoadedView } from '../../ui/loaded-view.tsx';
import { Table } from '../../ui/table.tsx';
import type { Team } from '../team.ts';
import { NewWorkspace } from './new-workspace.tsx';
import { listDescendants, type TreeItem } from './tree.ts';
import { SwitchToWorkspace } from './switch-to-workspace.tsx';

/** Number of rows to show at a time: there may be thousands of workspaces. */
const STEP = 100;
/** Minimum number of workspaces for which the list has a search field. */
const SEARCH_FIELD_FROM = 10;

/** Lists the workspaces below the given one. */
export function WorkspaceList({ team }: { team: Team }) {
  const { client } = useSession();
  const tree = useLoad(
    (signal) => client.get<HierarchyNode>(`${team.url}/hierarchy`, signal),
    [client, team.url],
  );
  return (
    <>
      <div class="row">
        <NewWorkspace team={team} onMade={tree.reload} />
      </div>
      <LoadedView loaded={tree}>
        {(top) => {
          const all = listDescendants(top);
          return all.length === 0 ? (
            <p class="empty">
              There is no workspace below {team.name} yet. Make one for each client or branch that is to have
              bots, conversations and people of its own.
            </p>
          ) : (
            <FoundWorkspaces team={team} all={all} />
          );
        }}
      </LoadedView>
    </>
  );
}

function FoundWorkspaces({ team, all }: { team: Team; all: readonly TreeItem[] }) {
  const [name, setName] = useState('');
  const [max, setMost] = useState(STEP);
  const wanted = name.trim().toLocaleLowerCase();
  const found = all.filter(({ node }) => node.name.toLocaleLowerCase().includes(wanted));
  return (
    <>
      {all.length > SEARCH_FIELD_FROM && (
        <div class="filters">
          <TextField label="Find by name" type="search" value={name} onChange={setName} />
        </div>
      )}
      {found.length === 0 ? (
        <p class="empty">No workspace is called so.</p>
      ) : (
        <Table columns={['Name', 'State', 'Plan']} hasActions>
          {found.slice(0, max).map((leaf) => (
            <WorkspaceRow key={leaf.node.id} team={team} {...leaf} />
          ))}
        </Table>
      )}
      {found.length > max && (
        <div class="more">
          <span class="hint">
            {max} of {formatCount(found.length, 'workspace')}
          </span>
          <button type="button" onClick={() => setMost(max + STEP)}>
            Show more
          </button>
        </div>
      )}
    </>
  );
}

function WorkspaceRow({ team, node, level }: TreeItem & { team: Team }) {
  const { id, name, is_active: isActive, plan_tier: plan } = node;
  return (
    <tr data-id={id}>
      <td class="wide">
        <span class={`level-${level}`}>
          <a href={buildHref(['team', 'workspaces', id])}>{name}</a>
        </span>
      </td>
      <td>
        <Badge state={isActive ? 'on' : 'off'} />
      </td>
      <td>{plan}</td>
      <td>{team.isSession && <SwitchToWorkspace id={id} name={name} />}</td>
    </tr>
  );
}
