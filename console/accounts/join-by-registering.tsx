import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { Message } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { Form } from '../ui/form.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';
import { EmailField } from './email-field.tsx';
import type { JoinProps } from './join-with-account.tsx';
import { NameField } from './name-field.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { SignIn } from './sign-in.tsx';
import { SubmitButton } from './submit-button.tsx';
import { WhereMailIs } from './where-mail-is.tsx';

/** For a link that was handed on: it takes an account that has confirmed the address, so one is made, or signed in to, first. */
export function JoinByRegistering({ token, preview, onProblem }: JoinProps) {
  const [fullName, setFullName] = useState('');
  const [password, setPassword] = useState('');
  const [isKnown, setKnown] = useState(false);
  const [told, setTold] = useState<string | null>(null);
  const register = useAction(async () => {
    const account = { email: preview.email, full_name: fullName.trim(), password, invitation_token: token };
    setTold((await publicClient.ask<Message>('/api/auth/register', account)).message);
  }, onProblem);
  if (told !== null)
    return (
      <>
        <p class="notice" role="status">
          {told} Then open this link once more to join.
        </p>
        <WhereMailIs />
      </>
    );
  if (isKnown) return <SignIn invited={preview.email} />;
  return (
    <>
      <Form class="card stack" onSubmit={() => register.run()}>
        <p>
          Whoever invited you has handed this link on. Create your account and confirm your address; then the
          link lets you in.
        </p>
        <NameField
          value={fullName}
          onChange={setFullName}
          problem={problemAt(register.problem, 'full_name', 'Your name')}
          isFocused
        />
        <EmailField value={preview.email} onChange={() => {}} isReadOnly />
        <NewPasswordField
          label="Password"
          value={password}
          onChange={setPassword}
          problem={problemAt(register.problem, 'password', 'The password')}
        />
        <ProblemMessage problem={register.problem} toldBy={['full_name', 'password']} />
        <SubmitButton isBusy={register.isBusy}>Create the account</SubmitButton>
      </Form>
      <button type="button" onClick={() => setKnown(true)}>
        I have an account: sign in
      </button>
    </>
  );
}
