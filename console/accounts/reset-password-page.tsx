import { Anchor, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { publicClient } from '../client/client.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import type { Confirmation } from '../client/types.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useAction } from '../state/use-action.ts';
import { AccountPage, DonePage } from './account-page.tsx';
import { NewPasswordField } from './entry-fields.tsx';
import { Form, SubmitButton } from '../components/forms/form.tsx';
import { ForgotPasswordPage } from './forgot-password-page.tsx';

const title = 'Reset your password';

/**
 * Page that the link of a password-reset email opens. Without the link's token, the page offers to send
 * another email.
 */
export function ResetPasswordPage({ token }: { token: string | null }) {
  const [password, setPassword] = useState('');
  const [endsOtherAccess, setEndsOtherAccess] = useState(false);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const reset = useAction(async () => {
    const request = { token, new_password: password, end_other_access: endsOtherAccess };
    setConfirmation((await publicClient.post<Confirmation>('/api/auth/password/reset', request)).message);
  });
  if (token === null) return <ForgotPasswordPage lacksToken />;
  if (confirmation !== null)
    return (
      <DonePage title={title} message={confirmation}>
        You are signed out everywhere. <Anchor href="/sign-in">Sign in</Anchor>
      </DonePage>
    );
  return (
    <AccountPage title={title}>
      <Form onSubmit={() => reset.run()}>
        <NewPasswordField
          label="New password"
          value={password}
          onChange={setPassword}
          problem={describeFieldProblem(reset.problem, 'new_password', 'The password')}
          isFocused
        />
        <Checkbox
          label="Also revoke my API keys and unlink my sign-in providers, in case someone else had access"
          checked={endsOtherAccess}
          onChange={({ currentTarget }) => setEndsOtherAccess(currentTarget.checked)}
        />
        <ProblemMessage
          problem={reset.problem}
          labels={{ token: 'The link' }}
          inlineFields={['new_password']}
        />
        <SubmitButton isWide isBusy={reset.isBusy}>
          Reset password
        </SubmitButton>
      </Form>
      <Text ta="center">
        <Anchor href="/forgot-password">Request a new link</Anchor>
      </Text>
    </AccountPage>
  );
}
