import { Text } from '@mantine/core';
import { useState } from 'react';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import type { RecoveryCodes } from '../../client/types.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { Form } from '../../components/forms/form.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';
import { AppCodeField } from './app-code-field.tsx';

export interface RegenerateCodesProps {
  onCodes(codes: RecoveryCodes): void;
}

export function RegenerateCodes({ onCodes }: RegenerateCodesProps) {
  return (
    <DialogButton name="Regenerate recovery codes">
      {(close) => (
        <RegenerationForm
          onCodes={(codes) => {
            close();
            onCodes(codes);
          }}
        />
      )}
    </DialogButton>
  );
}

function RegenerationForm({ onCodes }: RegenerateCodesProps) {
  const { client } = useSession();
  const [code, setCode] = useState('');
  const regenerate = useAction(async () =>
    onCodes(await client.post<RecoveryCodes>('/api/auth/mfa/recovery-codes', { code: code.trim() })),
  );
  return (
    <Form onSubmit={() => regenerate.run()}>
      <Text>Your existing codes will stop working.</Text>
      <AppCodeField
        value={code}
        onChange={setCode}
        problem={describeFieldProblem(regenerate.problem, 'code', 'The code')}
        isFocused
      />
      <ProblemMessage problem={regenerate.problem} inlineFields={['code']} />
      <SubmitOrCancel isBusy={regenerate.isBusy}>Regenerate</SubmitOrCancel>
    </Form>
  );
}
