import { Text } from '@mantine/core';
import { useState } from 'react';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import type { FactorSetup as Setup, RecoveryCodes } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { CopyField } from '../../components/forms/copy-field.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Form } from '../../components/forms/form.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';
import { AppCodeField } from './app-code-field.tsx';

export interface FactorSetupProps {
  /** Called with the recovery codes once the second factor is enabled. */
  onCodes(codes: RecoveryCodes): void;
}

/** Button that turns the second factor of sign-ins on, with an authenticator app. */
export function FactorSetup({ onCodes }: FactorSetupProps) {
  const { client } = useSession();
  const [setup, setSetup] = useState<Setup | null>(null);
  return (
    <>
      <ActionButton onAction={async () => setSetup(await client.post<Setup>('/api/auth/mfa/setup'))}>
        Set up
      </ActionButton>
      {setup !== null && (
        <Dialog title="Set up two-factor authentication" onClose={() => setSetup(null)}>
          <ConfirmationForm setup={setup} onCodes={onCodes} />
        </Dialog>
      )}
    </>
  );
}

function ConfirmationForm({ setup, onCodes }: FactorSetupProps & { setup: Setup }) {
  const { client } = useSession();
  const [code, setCode] = useState('');
  const confirm = useAction(async () =>
    onCodes(await client.post<RecoveryCodes>('/api/auth/mfa/activate', { code: code.trim() })),
  );
  return (
    <Form onSubmit={() => confirm.run()}>
      <Text>Scan the QR code with your authenticator app, or enter the key manually.</Text>
      <QrCode text={setup.uri} label="QR code for your authenticator app, with the setup key below" />
      <CopyField label="Setup key" value={setup.manual_key} />
      <AppCodeField
        value={code}
        onChange={setCode}
        problem={describeFieldProblem(confirm.problem, 'code', 'The code')}
        isFocused
      />
      <p className="hint">You'll be signed out on all other devices.</p>
      <ProblemMessage problem={confirm.problem} inlineFields={['code']} />
      <SubmitOrCancel isBusy={confirm.isBusy}>Turn on</SubmitOrCancel>
    </Form>
  );
}
