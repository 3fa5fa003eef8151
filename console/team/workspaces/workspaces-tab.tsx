import { canManage, type Team } from '../team.ts';
import { WorkspaceList } from './workspace-list.tsx';

/** Tab with the workspaces below this one, for example of clients or branches. */
export function WorkspacesTab({ team }: { team: Team }) {
  if (!canManage(team))
    return <p className="empty">It takes an owner or an admin to see the workspaces below.</p>;
  return (
    <>
      {!team.isSession && (
        <p className="notice">
          An API key works in its own workspace. Sign in with an account to work in another.
        </p>
      )}
      <WorkspaceList team={team} />
    </>
  );
}
