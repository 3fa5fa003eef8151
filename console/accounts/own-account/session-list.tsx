import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { Confirmation, SignedInDevice } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { Section } from '../../components/page/section.tsx';
import { SettingRow } from '../../components/page/setting-row.tsx';
import { useSession } from '../../session/session.tsx';
import type { Loaded } from '../../state/use-loaded.ts';

const INITIAL_COUNT = 5;

export interface SessionListProps {
  sessions: Loaded<SignedInDevice[]>;
}

export function SessionList({ sessions }: SessionListProps) {
  const { client } = useSession();
  const [showsAll, setShowsAll] = useState(false);
  const endOthers = async (): Promise<void> => {
    showConfirmation((await client.post<Confirmation>('/api/auth/sessions/revoke-others')).message);
    sessions.reload();
  };
  const endSession = async (id: string): Promise<void> => {
    showConfirmation((await client.delete<Confirmation>(path`/api/auth/sessions/${id}`)).message);
    sessions.reload();
  };
  return (
    <Section title="Active sessions" description="Devices on which you're signed in.">
      <LoadedView loaded={sessions}>
        {(all) => (
          <>
            {(showsAll ? all : all.slice(0, INITIAL_COUNT)).map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => endSession(session.id)} />
            ))}
            {all.length > 1 && (
              <Group>
                <ActionButton onAction={endOthers}>Sign out of all other sessions</ActionButton>
                {all.length > INITIAL_COUNT && !showsAll && (
                  <Button variant="subtle" color="gray" onClick={() => setShowsAll(true)}>
                    Show all {all.length}
                  </Button>
                )}
              </Group>
            )}
          </>
        )}
      </LoadedView>
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: SignedInDevice; onEnd(): Promise<void> }) {
  const { device, place, is_current: isCurrent } = session;
  return (
    <SettingRow
      title={
        <>
          {device}
          {isCurrent && <span className="tag">This device</span>}
        </>
      }
      description={
        <>
          {place !== null && `${place} · `}Signed in <RelativeTime at={session.created_at} /> · Last active{' '}
          <RelativeTime at={session.last_used_at} />
        </>
      }
    >
      {!isCurrent && (
        <ActionButton about={`of ${device}`} onAction={onEnd}>
          Sign out
        </ActionButton>
      )}
    </SettingRow>
  );
}
