import type { Message, Org } from '../../client/types.ts';
import { path } from '../../client/paths.ts';
import { useLoad } from '../../state/use-load.ts';
import { goTo, buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { InvitationsTab } from '../invitations-tab.tsx';
import { MembersTab } from '../members-tab.tsx';
import { toOtherTeam, type Team } from '../team.ts';
import { NameForm } from './name-form.tsx';
import { SwitchOnOrOff } from './switch-on-or-off.tsx';
import { SwitchToWorkspace } from './switch-to-workspace.tsx';
import { WorkspaceList } from './workspace-list.tsx';

export interface WorkspacePartProps {
  id: string;
  /** Workspace of the session, which is above the shown one. */
  here: Team;
}

/** Shows a lower workspace: its settings, its members and the workspaces below it. */
export function WorkspacePart({ id, here }: WorkspacePartProps) {
  const { client } = useSession();
  const org = useLoad((signal) => client.get<Org>(path`/api/orgs/${id}`, signal), [client, id]);
  return (
    <>
      <p>
        <a href={buildHref(['team', 'workspaces'])}>All workspaces</a>
      </p>
      <LoadedView loaded={org}>
        {(present) => {
          const team = toOtherTeam(present, here);
          return (
            <>
              <div className="row">
                <h2>{present.name}</h2>
                <Steps team={team} org={present} onChanged={org.set} />
              </div>
              <h3>People</h3>
              <MembersTab team={team} />
              <InvitationsTab team={team} />
              <h3>Workspaces below</h3>
              <WorkspaceList team={team} />
            </>
          );
        }}
      </LoadedView>
    </>
  );
}

function Steps({ team, org, onChanged }: { team: Team; org: Org; onChanged(org: Org): void }) {
  const { client, me } = useSession();
  const isOwner = team.role === 'owner';
  const deleteWorkspace = async (): Promise<void> => {
    await client.delete<Message>(team.url);
    goTo(buildHref(['team', 'workspaces']));
    showConfirmation(`${org.name} is deleted.`);
    me.reload();
  };
  return (
    <>
      {team.isSession && !team.isHere && <SwitchToWorkspace id={org.id} name={org.name} />}
      <DialogButton name="Rename" title={`Rename ${org.name}`}>
        {(close) => (
          <NameForm
            name={org.name}
            onSubmit={(name) => client.patch<Org>(team.url, { name })}
            onDone={(changed) => {
              close();
              onChanged(changed);
              me.reload();
            }}
          >
            Save
          </NameForm>
        )}
      </DialogButton>
      {isOwner && <SwitchOnOrOff team={team} />}
      {isOwner && team.isSession && !team.isHere && (
        <ConfirmButton
          question={`Delete ${org.name}?`}
          consequence="Its bots, documents, conversations and contacts are permanently deleted, and all members lose their access at once. This cannot be undone."
          onConfirm={deleteWorkspace}
        >
          Delete
        </ConfirmButton>
      )}
    </>
  );
}
