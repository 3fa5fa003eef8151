import { Text } from '@mantine/core';
import { useState } from 'react';
import type { FactorStatus } from '../../client/types.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { Form } from '../../components/forms/form.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';
import { ProofFields } from './proof-fields.tsx';

export interface TurnFactorOffProps {
  onTurnedOff(status: FactorStatus): void;
}

export function TurnFactorOff({ onTurnedOff }: TurnFactorOffProps) {
  return (
    <DialogButton name="Turn off" title="Turn off two-factor authentication" kind="danger">
      {() => <TurnOffForm onTurnedOff={onTurnedOff} />}
    </DialogButton>
  );
}

function TurnOffForm({ onTurnedOff }: TurnFactorOffProps) {
  const { client } = useSession();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const turnOff = useAction(async () => {
    const status = await client.post<FactorStatus>('/api/auth/mfa/disable', {
      password: password || null,
      code: code.trim(),
    });
    showConfirmation('Two-factor authentication turned off');
    onTurnedOff(status);
  });
  return (
    <Form onSubmit={() => turnOff.run()}>
      <Text>Your recovery codes will stop working, and you'll be signed out on all other devices.</Text>
      <ProofFields
        password={password}
        onPassword={setPassword}
        code={code}
        onCode={setCode}
        problem={turnOff.problem}
        hasPassword
        hasSecondFactor
      />
      <ProblemMessage problem={turnOff.problem} inlineFields={['password', 'code']} />
      <SubmitOrCancel isBusy={turnOff.isBusy} isDangerous>
        Turn off
      </SubmitOrCancel>
    </Form>
  );
}
