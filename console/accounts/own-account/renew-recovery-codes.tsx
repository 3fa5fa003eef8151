import { useState } from 'react';
import type { RecoveryCodes } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Form } from '../../components/form.tsx';
import { SubmitOrCancel } from '../../components/submit-or-cancel.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';
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
    <Form className="stack" onSubmit={() => renew.run()}>
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
