import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import type { Me, Confirmation } from '../../client/types.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { CurrentPasswordField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { SettingRow } from '../../components/page/setting-row.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';
import { NewPasswordField } from './new-password-field.tsx';

export interface ChangePasswordProps {
  me: Me;
  /** Called after the password change, which signs the user out on all other devices. */
  onOthersEnded(): void;
}

export function ChangePassword({ me: { user }, onOthersEnded }: ChangePasswordProps) {
  if (!user.has_password)
    return (
      <SettingRow
        title="Password"
        description={
          <>
            You haven't set a password.{' '}
            <Anchor inherit href="/forgot-password">
              Email me a link to set one
            </Anchor>
          </>
        }
      />
    );
  return (
    <SettingRow title="Password" description="Changing your password signs you out on all other devices.">
      <DialogButton name="Change password">
        {(close) => (
          <PasswordForm
            email={user.email}
            onChanged={() => {
              close();
              onOthersEnded();
            }}
          />
        )}
      </DialogButton>
    </SettingRow>
  );
}

function PasswordForm({ email, onChanged }: { email: string; onChanged(): void }) {
  const { client } = useSession();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useAction(async () => {
    const request = { current_password: current, new_password: next };
    showConfirmation((await client.post<Confirmation>('/api/auth/password/change', request)).message);
    onChanged();
  });
  return (
    <Form onSubmit={() => change.run()}>
      {/* Hidden field that tells password managers to which account the new password belongs. */}
      <input type="email" value={email} autoComplete="username" aria-label="Email" hidden readOnly />
      <CurrentPasswordField
        label="Current password"
        value={current}
        onChange={setCurrent}
        problem={describeFieldProblem(change.problem, 'current_password', 'This')}
        isFocused
      />
      <NewPasswordField
        label="New password"
        value={next}
        onChange={setNext}
        problem={describeFieldProblem(change.problem, 'new_password', 'The new password')}
      />
      <p className="hint">You'll be signed out on all other devices.</p>
      <ProblemMessage problem={change.problem} inlineFields={['current_password', 'new_password']} />
      <SubmitOrCancel isBusy={change.isBusy}>Update password</SubmitOrCancel>
    </Form>
  );
}
