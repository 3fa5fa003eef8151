import { Anchor, Button, Group, Menu, Title } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { Confirmation, Org } from '../../client/types.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { showConfirmation, showError } from '../../components/page/notices.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';
import { Status } from '../../components/lists/status.tsx';
import { buildHref, goTo } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { IconEdit, IconPower, IconTrash } from '../../shell/icons.ts';
import { useApi } from '../../state/use-api.ts';
import { useAction } from '../../state/use-action.ts';
import { InvitationList } from '../members/invitations-page.tsx';
import { InviteButton } from '../members/members-page.tsx';
import { MemberTable } from '../members/member-table.tsx';
import { TeamFrame } from '../team-frame.tsx';
import { toOtherTeam, type Team } from '../team.ts';
import { NameForm } from './name-form.tsx';
import { NewWorkspace } from './new-workspace.tsx';
import { useHierarchy, useHierarchyRefresh } from './use-hierarchy.ts';
import { WorkspaceTree } from './workspace-tree.tsx';
import { useSwitchWorkspace } from './use-switch-workspace.ts';

export interface WorkspacePageProps {
  id: string;
  /** Workspace of the user's session, which is above the shown sub-workspace. */
  here: Team;
}

/** Shows a sub-workspace: its settings, its members and the workspaces below it. */
export function WorkspacePage({ id, here }: WorkspacePageProps) {
  const org = useApi<Org>(path`/api/orgs/${id}`);
  return (
    <TeamFrame team={here} tab="workspaces">
      <Anchor href={buildHref(['team', 'workspaces'])}>All sub-workspaces</Anchor>
      <LoadedView loaded={org}>
        {(known) => <WorkspaceDetails team={toOtherTeam(known, here)} onChange={org.set} />}
      </LoadedView>
    </TeamFrame>
  );
}

interface WorkspaceDetailsProps {
  team: Team;
  onChange(org: Org): void;
}

function WorkspaceDetails({ team, onChange }: WorkspaceDetailsProps) {
  return (
    <>
      <WorkspaceHead team={team} onChange={onChange} />
      <Group justify="space-between">
        <Title order={3}>Members</Title>
        <InviteButton team={team} />
      </Group>
      <MemberTable team={team} />
      <Title order={3}>Invitations</Title>
      <InvitationList team={team} />
      <SubWorkspaces team={team} />
    </>
  );
}

function SubWorkspaces({ team }: { team: Team }) {
  const { data: tree } = useHierarchy(team);
  return (
    <>
      <Group justify="space-between">
        <Title order={3}>Sub-workspaces</Title>
        {tree?.children.length !== 0 && <NewWorkspace team={team} />}
      </Group>
      <WorkspaceTree team={team} />
    </>
  );
}

function WorkspaceHead({ team, onChange }: WorkspaceDetailsProps) {
  const { client, me } = useSession();
  const tree = useHierarchy(team);
  const refreshHierarchies = useHierarchyRefresh();
  const switchTo = useSwitchWorkspace();
  const [step, setStep] = useState<'rename' | 'off' | 'delete' | null>(null);
  const isOwner = team.role === 'owner';
  const isActive = tree.data?.is_active;
  const close = (): void => setStep(null);
  const setActive = async (is_active: boolean): Promise<void> => {
    await client.patch<Org>(team.url, { is_active });
    refreshHierarchies();
    showConfirmation(`${team.name} is ${is_active ? 'on' : 'off'}`);
  };
  const turnOn = useAction(
    () => setActive(true),
    ({ message }) => showError(message),
  );
  const deleteWorkspace = async (): Promise<void> => {
    await client.delete<Confirmation>(team.url);
    goTo(buildHref(['team', 'workspaces']));
    refreshHierarchies();
    showConfirmation(`${team.name} deleted`);
    me.reload();
  };
  return (
    <Group justify="space-between">
      <Group gap="sm">
        <Title order={2}>{team.name}</Title>
        {isActive !== undefined && (
          <Status tone={isActive ? 'good' : 'quiet'}>{isActive ? 'On' : 'Off'}</Status>
        )}
      </Group>
      <Group gap="xs">
        {team.isSession && !team.isHere && (
          <Button
            variant="default"
            aria-label={`Open workspace ${team.name}`}
            aria-disabled={switchTo.isBusy}
            onClick={() => switchTo.run(team.id)}
          >
            Open workspace
          </Button>
        )}
        <RowMenu about={team.name}>
          <Menu.Item leftSection={<IconEdit />} onClick={() => setStep('rename')}>
            Rename
          </Menu.Item>
          {isOwner && isActive !== undefined && (
            <Menu.Item leftSection={<IconPower />} onClick={() => (isActive ? setStep('off') : turnOn.run())}>
              {isActive ? 'Turn off' : 'Turn on'}
            </Menu.Item>
          )}
          {isOwner && team.isSession && !team.isHere && (
            <Menu.Item className="danger-item" leftSection={<IconTrash />} onClick={() => setStep('delete')}>
              Delete
            </Menu.Item>
          )}
        </RowMenu>
      </Group>
      {step === 'rename' && (
        <Dialog title={`Rename ${team.name}`} onClose={close}>
          <NameForm
            name={team.name}
            onSubmit={(name) => client.patch<Org>(team.url, { name })}
            onDone={(changed) => {
              close();
              onChange(changed);
              refreshHierarchies();
              me.reload();
            }}
          >
            Rename
          </NameForm>
        </Dialog>
      )}
      {step === 'off' && (
        <ConfirmDialog
          question={`Turn off ${team.name}?`}
          consequence="Bots and API keys in this workspace stop working until you turn the workspace on again. Nothing is deleted, and members can still sign in."
          action="Turn off"
          onConfirm={() => setActive(false)}
          onClose={close}
        />
      )}
      {step === 'delete' && (
        <ConfirmDialog
          question={`Delete ${team.name}?`}
          consequence="This permanently deletes the workspace and its bots, documents, conversations and contacts. All members lose access. This can't be undone."
          action="Delete"
          onConfirm={deleteWorkspace}
          onClose={close}
        />
      )}
    </Group>
  );
}
