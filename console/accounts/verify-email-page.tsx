import { Alert, Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { publicClient } from '../client/client.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import type { Confirmation } from '../client/types.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useAction } from '../state/use-action.ts';
import { AccountPage, DonePage, LinkNeeded } from './account-page.tsx';
import { CurrentPasswordField } from '../components/forms/fields.tsx';
import { NewPasswordField } from './entry-fields.tsx';
import { Form, SubmitButton } from '../components/forms/form.tsx';
import { MailLinkForm } from './mail-link-form.tsx';

const title = 'Verify your email';

/**
 * Page that the link of a verification email opens. Without the link's token, the page offers to send another
 * email.
 */
export function VerifyEmailPage({ token }: { token: string | null }) {
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [isLinkInvalid, setLinkInvalid] = useState(token === null);
  if (confirmation !== null)
    return (
      <DonePage title={title} message={confirmation}>
        <Anchor href="/sign-in">Sign in</Anchor>
      </DonePage>
    );
  return (
    <AccountPage title={title}>
      {!isLinkInvalid && token !== null && (
        <Confirmation token={token} onDone={setConfirmation} onLinkInvalid={() => setLinkInvalid(true)} />
      )}
      {isLinkInvalid && (
        <>
          {token === null ? (
            <LinkNeeded />
          ) : (
            <>
              <Alert color="red">This link is invalid, has expired or was already used.</Alert>
              <Text>
                If your email is already verified, <Anchor href="/sign-in">sign in</Anchor>. If not, request a
                new link.
              </Text>
            </>
          )}
          <MailLinkForm url="/api/auth/email/resend" label="Send verification link" />
        </>
      )}
    </AccountPage>
  );
}

interface ConfirmationProps {
  token: string;
  onDone(confirmation: string): void;
  /** Called if the API rejects the verification link, for example because it has expired. */
  onLinkInvalid(): void;
}

/**
 * Asks for the password of the new account. Only the person who registered the address knows this password,
 * so another reader of the email must choose a new password.
 */
function Confirmation({ token, onDone, onLinkInvalid }: ConfirmationProps) {
  const [password, setPassword] = useState('');
  const [isNewPassword, setNewPassword] = useState(false);
  const field = isNewPassword ? 'new_password' : 'password';
  const verify = useAction(
    async () => {
      const { message } = await publicClient.post<Confirmation>('/api/auth/email/verify', {
        token,
        [field]: password,
      });
      onDone(message);
    },
    (problem) => {
      if (problem.details.some(({ field: refused }) => refused === 'token')) onLinkInvalid();
    },
  );
  const toggleNewPassword = (): void => {
    setPassword('');
    setNewPassword(!isNewPassword);
  };
  const problem = describeFieldProblem(verify.problem, field, 'The password');
  return (
    <Form onSubmit={() => verify.run()}>
      {isNewPassword ? (
        <>
          <Text>
            Someone else may have registered with your email. Setting a new password therefore also resets the
            account.
          </Text>
          <NewPasswordField
            label="New password"
            value={password}
            onChange={setPassword}
            problem={problem}
            isFocused
          />
        </>
      ) : (
        <CurrentPasswordField
          label="Your password"
          value={password}
          onChange={setPassword}
          problem={problem}
          isFocused
        />
      )}
      <ProblemMessage problem={verify.problem} inlineFields={[field]} />
      <SubmitButton isWide isBusy={verify.isBusy}>
        Verify email
      </SubmitButton>
      <Button variant="subtle" color="gray" onClick={toggleNewPassword}>
        {isNewPassword ? 'I know the password' : "Don't know the password? Set a new one"}
      </Button>
    </Form>
  );
}
