import { Text } from '@mantine/core';
import type { Org } from '../../client/types.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { useSession } from '../../session/session.tsx';
import { IconPlus } from '../../shell/icons.ts';
import type { Team } from '../team.ts';
import { NameForm } from './name-form.tsx';
import { useHierarchyRefresh } from './use-hierarchy.ts';

/** Button that creates a sub-workspace of the given workspace. */
export function NewWorkspace({ team }: { team: Team }) {
  const { client, me } = useSession();
  const refreshHierarchies = useHierarchyRefresh();
  return (
    <DialogButton
      name="Create sub-workspace"
      title={`New sub-workspace of ${team.name}`}
      kind="primary"
      icon={<IconPlus />}
    >
      {(close) => (
        <>
          <Text>
            A sub-workspace has its own bots, conversations, contacts and members. Owners and admins of{' '}
            {team.name} can access it. Its members can't see anything in {team.name}.
          </Text>
          <NameForm
            onSubmit={(name) => client.post<Org>(`${team.url}/children`, { name })}
            onDone={({ name }) => {
              close();
              showConfirmation(`${name} created`);
              me.reload();
              refreshHierarchies();
            }}
          >
            Create sub-workspace
          </NameForm>
        </>
      )}
    </DialogButton>
  );
}
