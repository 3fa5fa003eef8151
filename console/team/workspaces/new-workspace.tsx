import type { Org } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { showConfirmation } from '../../components/notices.ts';
import type { Team } from '../team.ts';
import { NameForm } from './name-form.tsx';

/** Button that creates a workspace below the given one. */
export function NewWorkspace({ team, onMade }: { team: Team; onMade(): void }) {
  const { client, me } = useSession();
  return (
    <DialogButton name="New workspace" title={`New workspace below ${team.name}`} kind="primary">
      {(close) => (
        <>
          <p>
            It has bots, conversations, contacts and people of its own. Owners and admins of {team.name} can
            work in it; its people see nothing of {team.name}.
          </p>
          <NameForm
            onSubmit={(name) => client.post<Org>(`${team.url}/children`, { name })}
            onDone={({ name }) => {
              close();
              showConfirmation(`${name} is there.`);
              me.reload();
              onMade();
            }}
          >
            Create it
          </NameForm>
        </>
      )}
    </DialogButton>
  );
}
