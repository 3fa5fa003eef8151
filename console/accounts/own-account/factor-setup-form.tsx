import { Button } from '@mantine/core';
import { useState } from 'react';
import { Form, SubmitButton } from '../../components/form.tsx';
import type { FactorSetup, RecoveryCodes } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { AppCodeField } from './app-code-field.tsx';

export interface FactorSetupFormProps {
  /** Called with the recovery codes once the second factor is enabled. */
  onCodes(codes: RecoveryCodes): void;
}

export function FactorSetupForm({ onCodes }: FactorSetupFormProps) {
  const { client } = useSession();
  const [setup, setSetup] = useState<FactorSetup | null>(null);
  const begin = useAction(async () => setSetup(await client.post<FactorSetup>('/api/auth/mfa/setup')));
  if (setup !== null) return <Confirmation setup={setup} onCodes={onCodes} onCancel={() => setSetup(null)} />;
  return (
    <>
      <p>
        It is off. With it, signing in asks for a code of an authenticator app besides, so that a password
        alone is of no use to others.
      </p>
      <ProblemMessage problem={begin.problem} />
      <Button variant="default" aria-disabled={begin.isBusy} onClick={() => begin.run()}>
        Set it up
      </Button>
    </>
  );
}

interface ConfirmationProps extends FactorSetupFormProps {
  setup: FactorSetup;
  onCancel(): void;
}

function Confirmation({ setup, onCodes, onCancel }: ConfirmationProps) {
  const { client } = useSession();
  const [code, setCode] = useState('');
  const confirm = useAction(async () =>
    onCodes(await client.post<RecoveryCodes>('/api/auth/mfa/activate', { code: code.trim() })),
  );
  return (
    <Form className="stack" onSubmit={() => confirm.run()}>
      <p>Scan this with your authenticator app, or type the key into it.</p>
      <QrCode text={setup.uri} label="QR code for your authenticator app; the key below says the same" />
      <CopyField label="Key for the app" value={setup.manual_key} />
      <AppCodeField
        value={code}
        onChange={setCode}
        problem={describeFieldProblem(confirm.problem, 'code', 'The code')}
        isFocused
      />
      <p className="hint">It signs you out everywhere but here.</p>
      <ProblemMessage problem={confirm.problem} inlineFields={['code']} />
      <div className="row">
        <SubmitButton isBusy={confirm.isBusy}>Switch it on</SubmitButton>
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Not now
        </Button>
      </div>
    </Form>
  );
}
