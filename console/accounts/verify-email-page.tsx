import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { Message } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { CurrentPasswordField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { describeFieldProblem, ProblemMessage } from '../ui/problem-message.tsx';
import { AccountPage } from './account-page.tsx';
import { DonePage } from './done-page.tsx';
import { LinkNeeded } from './link-needed.tsx';
import { MailLinkForm } from './mail-link-form.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { SubmitButton } from './submit-button.tsx';

const title = 'Verify your e-mail address';

/**
 * Page that the link of a verification mail opens. Without the link's token, it offers to send another mail.
 */
export function VerifyEmailPage({ token }: { token: string | null }) {
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [isOver, setOver] = useState(token === null);
  if (confirmation !== null)
    return (
      <DonePage title={title} message={confirmation}>
        <a href="/sign-in">Sign in</a>
      </DonePage>
    );
  return (
    <AccountPage title={title}>
      {!isOver && token !== null && (
        <Confirmation token={token} onDone={setConfirmation} onOver={() => setOver(true)} />
      )}
      {isOver && (
        <>
          {token === null ? (
            <LinkNeeded />
          ) : (
            <>
              <p role="alert">The link is not valid, was used or has expired.</p>
              <p>
                If your address is verified already, <a href="/sign-in">sign in</a>. If not, we mail you
                another link.
              </p>
            </>
          )}
          <MailLinkForm url="/api/auth/email/resend" />
        </>
      )}
    </AccountPage>
  );
}

interface ConfirmationProps {
  token: string;
  onDone(confirmation: string): void;
  /** Called if the API rejects the verification link, for example because it has expired. */
  onOver(): void;
}

/**
 * Asks for the password. Only the person who registered the address knows it, so another reader of the mail
 * must choose a new one.
 */
function Confirmation({ token, onDone, onOver }: ConfirmationProps) {
  const [password, setPassword] = useState('');
  const [isNewPassword, setNewPassword] = useState(false);
  const field = isNewPassword ? 'new_password' : 'password';
  const verify = useAction(
    async () => {
      const { message } = await publicClient.post<Message>('/api/auth/email/verify', {
        token,
        [field]: password,
      });
      onDone(message);
    },
    (problem) => {
      if (problem.details.some(({ field: refused }) => refused === 'token')) onOver();
    },
  );
  const toggleNewPassword = (): void => {
    setPassword('');
    setNewPassword(!isNewPassword);
  };
  const problem = describeFieldProblem(verify.problem, field, 'The password');
  return (
    <Form class="card stack" onSubmit={() => verify.run()}>
      {isNewPassword ? (
        <>
          <p>This voids everything in the account, since another person may have registered your address.</p>
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
          label="The password that you have registered with"
          value={password}
          onChange={setPassword}
          problem={problem}
          isFocused
        />
      )}
      <ProblemMessage problem={verify.problem} inlineFields={[field]} />
      <SubmitButton isBusy={verify.isBusy}>Verify my address</SubmitButton>
      <button type="button" class="plain" onClick={toggleNewPassword}>
        {isNewPassword ? 'I know the password' : 'I do not know it: choose a new one'}
      </button>
    </Form>
  );
}
