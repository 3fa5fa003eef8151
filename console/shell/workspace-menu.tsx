import { Menu, UnstyledButton } from '@mantine/core';
import type { Me, Org } from '../client/types.ts';
import { useSwitchWorkspace } from '../team/workspaces/use-switch-workspace.ts';
import { IconMark, IconSelector } from './icons.ts';
import { Logo } from './logo.tsx';
import { useApi } from '../state/use-api.ts';
import { useSession } from '../session/session.tsx';

type Workspace = Pick<Org, 'id' | 'name'> & { depth: number };

/** Shows the current workspace, with a menu that switches to another workspace. */
export function WorkspaceMenu({ isNarrow }: { isNarrow: boolean }) {
  const { data: me } = useSession().me;
  const isSession = me !== undefined && me.session_id !== null;
  const { data: own = [] } = useApi<Org[]>(isSession ? '/api/orgs' : null);
  const change = useSwitchWorkspace();
  const here = me?.organization ?? null;
  const workspaces = arrangeWorkspaces(own, here);
  const label = (
    <>
      <Logo />
      <span className={isNarrow ? 'unseen' : 'workspace-name'}>
        <span className="unseen">Workspace: </span>
        <span>{here?.name ?? 'Parley'}</span>
      </span>
    </>
  );
  if (!isSession || workspaces.length < 2) return <div className="workspace-button">{label}</div>;
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton className="workspace-button" aria-busy={change.isBusy}>
          {label}
          {!isNarrow && <IconSelector size={16} />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className="workspace-list">
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map(({ id, name, depth }) => (
          <Menu.RadioItem
            key={id}
            value={id}
            checked={id === here?.id}
            checkIcon={<IconMark size={14} />}
            closeMenuOnClick
            data-depth={depth || undefined}
            onChange={(chosen) => change.run(chosen)}
          >
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * Sorts workspaces so that each follows its parent. Adds the current workspace if it is missing: an admin of
 * a higher workspace does not have to be its member.
 */
function arrangeWorkspaces(own: readonly Org[], here: Me['organization']): Workspace[] {
  const isListed = here === null || own.length === 0 || own.some(({ id }) => id === here.id);
  const known = new Set(own.map(({ id }) => id));
  const listBelow = (parentId: string | null, depth: number): Workspace[] =>
    own
      .filter(({ parent_org_id: parent }) =>
        parentId === null ? parent === null || !known.has(parent) : parent === parentId,
      )
      .flatMap(({ id, name }) => [{ id, name, depth }, ...listBelow(id, Math.min(depth + 1, 4))]);
  return isListed ? listBelow(null, 0) : [...listBelow(null, 0), { ...here, depth: 0 }];
}
