import { useState } from 'preact/hooks';
import type { RecoveryCodes } from '../../client/types.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { Form } from '../../ui/form.tsx';
import { describeFieldProblem, ProblemMessage } from '../../ui/problem-message.tsx';
import { SubmitOrCancel } from '../../ui/submit-or-cancel.tsx';
import { AppCodeField } from './app-code-field.tsx';

export interface RenewRecoveryCodesProps {
  onCodes(codes: RecoveryCodes): void;
}

export function RenewRecoveryCodes({ onCodes }: RenewRecoveryCodesProps) {
  return (
    <DialogButton name="Make new recovery codes">
      {(close) => (
        <RenewalForm
          onCodes={(codes) => {
            close();
            onCodes(codes);
          }}
        />
      )}
    </DialogButton>
  );
}

function RenewalForm({ onCodes }: RenewRecoveryCodesProps) {
  const { client } = useSession();
  const [code, setCode] = useState('');
  const renew = useAction(async () =>
    onCodes(await client.post<RecoveryCodes>('/api/auth/mfa/recovery-codes', { code: code.trim() })),
  );
  return (
    <Form class="stack" onSubmit={() => renew.run()}>
      <p>Your current codes will stop working.</p>
      <AppCodeField
        value={code}
        onChange={setCode}
        problem={describeFieldProblem(renew.problem, 'code', 'The code')}
        isFocused
      />
      <ProblemMessage problem={renew.problem} inlineFields={['code']} />
      <SubmitOrCancel isBusy={renew.isBusy}>Make them</SubmitOrCancel>
    </Form>
  );
}
