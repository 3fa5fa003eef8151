import { useState } from 'react';
import type { FactorStatus } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { CurrentPasswordField, TextField } from '../../components/fields.tsx';
import { Form } from '../../components/form.tsx';
import { SubmitOrCancel } from '../../components/submit-or-cancel.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';

export interface SwitchFactorOffProps {
  onOff(status: FactorStatus): void;
}

export function SwitchFactorOff({ onOff }: SwitchFactorOffProps) {
  return (
    <DialogButton name="Switch it off" title="Switch the second factor off" kind="danger">
      {() => <SwitchOffForm onOff={onOff} />}
    </DialogButton>
  );
}

function SwitchOffForm({ onOff }: SwitchFactorOffProps) {
  const { client, me } = useSession();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const switchOff = useAction(async () => {
    const status = await client.post<FactorStatus>('/api/auth/mfa/disable', {
      password: password || null,
      code: code.trim(),
    });
    showConfirmation('The second factor is off.');
    onOff(status);
  });
  return (
    <Form className="stack" onSubmit={() => switchOff.run()}>
      <p>Your recovery codes go with it, and it signs you out everywhere but here.</p>
      {me.data?.user.has_password && (
        <CurrentPasswordField
          value={password}
          onChange={setPassword}
          problem={describeFieldProblem(switchOff.problem, 'password', 'This')}
          isFocused
        />
      )}
      <TextField
        label="Code of your authenticator app, or a recovery code"
        value={code}
        onChange={setCode}
        problem={describeFieldProblem(switchOff.problem, 'code', 'The code')}
        minLength={4}
        maxLength={64}
        autoComplete="one-time-code"
        isRequired
      />
      <ProblemMessage problem={switchOff.problem} inlineFields={['password', 'code']} />
      <SubmitOrCancel isBusy={switchOff.isBusy}>Switch it off</SubmitOrCancel>
    </Form>
  );
}
