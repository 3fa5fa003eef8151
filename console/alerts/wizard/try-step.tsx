import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { AlertPolicy, AlertTest } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import type { AlertChannel } from '../alert-words.ts';
import { CodeVerification } from '../connect/code-verification.tsx';
import { TestOutcome } from '../test-outcome.tsx';

export interface TryStepProps {
  policy: AlertPolicy;
  onVerified(policy: AlertPolicy): void;
  onDone(): void;
}

/**
 * Last step of the wizard for alerts: sends a test message. The policy is saved already, so the user may
 * leave at any time.
 */
export function TryStep({ policy, onVerified, onDone }: TryStepProps) {
  const { client } = useSession();
  const [test, setTest] = useState<AlertTest | null>(null);
  const isVerified = policy.verified && policy.blocked_reason === null;
  const sendTest = async (): Promise<void> =>
    setTest(await client.post<AlertTest>(path`/api/alerts/${policy.id}/test`));
  return (
    <>
      {isVerified ? (
        <>
          <Text>Alert saved and recipient verified. Send a test to see what arrives.</Text>
          <div>
            <ActionButton kind="primary" onAction={sendTest}>
              Send test
            </ActionButton>
          </div>
          {test !== null && <TestOutcome test={test} channel={policy.channel as AlertChannel} />}
        </>
      ) : (
        <>
          <Text>Alert saved. Nothing is sent until the recipient is verified.</Text>
          <CodeVerification policy={policy} onVerified={onVerified} />
        </>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {isVerified ? 'Done' : 'Later'}
        </Button>
      </Group>
    </>
  );
}
