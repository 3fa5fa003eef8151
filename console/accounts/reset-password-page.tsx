import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { Message } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { CheckboxField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { describeFieldProblem, ProblemMessage } from '../ui/problem-message.tsx';
import { AccountPage } from './account-page.tsx';
import { DonePage } from './done-page.tsx';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { SubmitButton } from './submit-button.tsx';

const title = 'Set a new password';

/**
 * Page that the link of a password-reset mail opens. Without the link's token, it offers to send another
 * mail.
 */
export function ResetPasswordPage({ token }: { token: string | null }) {
  const [password, setPassword] = useState('');
  const [endsAll, setEndsAll] = useState(false);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const reset = useAction(async () => {
    const request = { token, new_password: password, end_other_access: endsAll };
    setConfirmation((await publicClient.post<Message>('/api/auth/password/reset', request)).message);
  });
  if (token === null) return <ForgotPasswordPage lacksLink />;
  if (confirmation !== null)
    return (
      <DonePage title={title} message={confirmation}>
        You are signed out everywhere. <a href="/sign-in">Sign in</a>
      </DonePage>
    );
  return (
    <AccountPage title={title}>
      <Form class="card stack" onSubmit={() => reset.run()}>
        <NewPasswordField
          label="New password"
          value={password}
          onChange={setPassword}
          problem={describeFieldProblem(reset.problem, 'new_password', 'The password')}
          isFocused
        />
        <CheckboxField
          label="Also revoke my API keys and unlink identity providers: another person had access"
          isChecked={endsAll}
          onChange={setEndsAll}
        />
        <ProblemMessage
          problem={reset.problem}
          labels={{ token: 'The link' }}
          inlineFields={['new_password']}
        />
        <SubmitButton isBusy={reset.isBusy}>Set the password</SubmitButton>
      </Form>
      <p>
        <a href="/forgot-password">Ask for another link</a>
      </p>
    </AccountPage>
  );
}
