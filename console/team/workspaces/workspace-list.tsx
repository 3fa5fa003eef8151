import { Button } from '@mantine/core';
import { useState } from 'react';
import type { HierarchyNode } from '../../client/types.ts';
import { useLoad } from '../../state/use-load.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { Badge } from '../../components/badge.tsx';
import { formatCount } from '../../components/format-count.ts';
import { TextField } from '../../components/fields.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { Table } from '../../components/table.tsx';
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
      <div className="row">
        <NewWorkspace team={team} onMade={tree.reload} />
      </div>
      <LoadedView loaded={tree}>
        {(top) => {
          const all = listDescendants(top);
          return all.length === 0 ? (
            <p className="empty">
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
        <div className="filters">
          <TextField label="Find by name" type="search" value={name} onChange={setName} />
        </div>
      )}
      {found.length === 0 ? (
        <p className="empty">No workspace is called so.</p>
      ) : (
        <Table columns={['Name', 'State', 'Plan']} hasActions>
          {found.slice(0, max).map((leaf) => (
            <WorkspaceRow key={leaf.node.id} team={team} {...leaf} />
          ))}
        </Table>
      )}
      {found.length > max && (
        <div className="more">
          <span className="hint">
            {max} of {formatCount(found.length, 'workspace')}
          </span>
          <Button variant="default" onClick={() => setMost(max + STEP)}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

function WorkspaceRow({ team, node, level }: TreeItem & { team: Team }) {
  const { id, name, is_active: isActive, plan_tier: plan } = node;
  return (
    <tr data-id={id}>
      <td className="wide">
        <span className={`level-${level}`}>
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
