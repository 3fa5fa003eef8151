import { Alert, Stack } from '@mantine/core';
import { useState } from 'react';
import type { AlertConnection, AlertLink, AlertPolicy } from '../../client/types.ts';
import { RadioChoices } from '../../components/forms/radio-choices.tsx';
import { formatDestination, type AlertChannel } from '../alert-words.ts';
import { CodeVerification } from './code-verification.tsx';
import { LinkConnect } from './link-connect.tsx';

export interface VerifyDestinationProps {
  policy: AlertPolicy;
  onVerified(): void;
}

/**
 * Verifies the destination of an alert policy again, by a code or a link. Shown if the destination is
 * unverified or rejects messages.
 */
export function VerifyDestination({ policy, onVerified }: VerifyDestinationProps) {
  const [method, setMethod] = useState<'code' | 'link'>(policy.status === 'blocked' ? 'link' : 'code');
  const [attempt, setAttempt] = useState<AlertLink | null>(null);
  const [other, setOther] = useState<AlertConnection | null>(null);
  const handleConnected = (connection: AlertConnection): void => {
    if (connection.destination === policy.destination) onVerified();
    else setOther(connection);
  };
  return (
    <Stack>
      <RadioChoices
        legend="Verify with"
        value={method}
        choices={[
          { value: 'code', title: 'A code we send' },
          { value: 'link', title: 'A link to open on the phone' },
        ]}
        onChange={setMethod}
      />
      {method === 'code' ? (
        <CodeVerification policy={policy} onVerified={onVerified} />
      ) : (
        <LinkConnect
          channel={policy.channel as AlertChannel}
          attempt={attempt}
          onAttempt={(created) => {
            setAttempt(created);
            setOther(null);
          }}
          onConnected={handleConnected}
        />
      )}
      {other !== null && (
        <Alert color="red">
          {formatDestination(other.destination ?? '', other.name)} opened the link, but this alert has a
          different recipient. Create a new alert for the new recipient.
        </Alert>
      )}
    </Stack>
  );
}
