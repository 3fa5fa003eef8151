import { Button, Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { Message, SignedInDevice } from '../../client/types.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { RowSkeletons } from '../../components/page-skeleton.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { SettingRow } from '../../components/setting-row.tsx';
import { useSession } from '../../session/session.tsx';
import { getProblem } from '../../state/queries.ts';

const FIRST_SHOWN = 5;

export interface SessionListProps {
  sessions: UseQueryResult<SignedInDevice[]>;
}

export function SessionList({ sessions }: SessionListProps) {
  const { client } = useSession();
  const [isWhole, setWhole] = useState(false);
  const problem = getProblem(sessions);
  const endOthers = async (): Promise<void> => {
    showConfirmation((await client.post<Message>('/api/auth/sessions/revoke-others')).message);
    await sessions.refetch();
  };
  const endSession = async (id: string): Promise<void> => {
    showConfirmation((await client.delete<Message>(path`/api/auth/sessions/${id}`)).message);
    await sessions.refetch();
  };
  const all = sessions.data ?? [];
  return (
    <Section title="Active sessions" description="Devices on which you're signed in.">
      <ProblemMessage problem={problem} onRetry={() => void sessions.refetch()} />
      {sessions.isPending && problem === null && <RowSkeletons />}
      {(isWhole ? all : all.slice(0, FIRST_SHOWN)).map((session) => (
        <SessionRow key={session.id} session={session} onEnd={() => endSession(session.id)} />
      ))}
      {all.length > 1 && (
        <Group>
          <ActionButton onAction={endOthers}>Sign out of all other sessions</ActionButton>
          {all.length > FIRST_SHOWN && !isWhole && (
            <Button variant="subtle" color="gray" onClick={() => setWhole(true)}>
              Show all {all.length}
            </Button>
          )}
        </Group>
      )}
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
