import { Alert } from '@mantine/core';
import { TeamFrame } from '../team-frame.tsx';
import { canManage, type Team } from '../team.ts';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { IconShield } from '../../shell/icons.ts';
import { NewWorkspace } from './new-workspace.tsx';
import { useHierarchy } from './use-hierarchy.ts';
import { WorkspaceTree } from './workspace-tree.tsx';

/** Page with the sub-workspaces of this workspace, for example of clients or branches. */
export function WorkspacesPage({ team }: { team: Team }) {
  const { data: tree } = useHierarchy(team);
  if (!canManage(team))
    return (
      <TeamFrame team={team} tab="workspaces">
        <EmptyState icon={<IconShield size={32} />} title="You don't have access">
          Only owners and admins can see sub-workspaces.
        </EmptyState>
      </TeamFrame>
    );
  return (
    <TeamFrame
      team={team}
      tab="workspaces"
      tools={tree?.children.length !== 0 && <NewWorkspace team={team} />}
    >
      {!team.isSession && (
        <Alert>
          An API key only works in its own workspace. Sign in with an account to open another workspace.
        </Alert>
      )}
      <WorkspaceTree team={team} />
    </TeamFrame>
  );
}
