import { path } from '../../client/paths.ts';
import type { Message, SignedInDevice } from '../../client/types.ts';
import type { Loaded } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { ActionButton } from '../../components/action-button.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { TimeText } from '../../components/time-text.tsx';

export function SessionList({ sessions }: { sessions: Loaded<SignedInDevice[]> }) {
  const { client } = useSession();
  const endOthers = async (): Promise<void> => {
    showConfirmation((await client.post<Message>('/api/auth/sessions/revoke-others')).message);
    sessions.reload();
  };
  const endSession = async (id: string): Promise<void> => {
    showConfirmation((await client.delete<Message>(path`/api/auth/sessions/${id}`)).message);
    sessions.reload();
  };
  return (
    <Section title="Where you are signed in">
      <LoadedView loaded={sessions}>
        {(all) => (
          <>
            <SessionTable sessions={all} onEnd={endSession} />
            {all.length > 1 && <ActionButton onAction={endOthers}>End all other sessions</ActionButton>}
          </>
        )}
      </LoadedView>
    </Section>
  );
}

interface SessionTableProps {
  sessions: readonly SignedInDevice[];
  onEnd(id: string): Promise<void>;
}

function SessionTable({ sessions, onEnd }: SessionTableProps) {
  return (
    <Table columns={['Device', 'Address', 'Signed in', 'Last used']} hasActions>
      {sessions.map((session) => (
        <tr key={session.id} data-id={session.id}>
          <td>{session.device}</td>
          <td>{session.place ?? '–'}</td>
          <td>
            <TimeText at={session.created_at} />
          </td>
          <td>
            <TimeText at={session.last_used_at} />
          </td>
          <td>
            {session.is_current ? (
              <span className="badge good">this one</span>
            ) : (
              <ActionButton about={`the session on ${session.device}`} onAction={() => onEnd(session.id)}>
                End
              </ActionButton>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
