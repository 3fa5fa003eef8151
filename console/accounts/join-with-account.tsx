import { useState } from 'preact/hooks';
import type { ApiError } from '../client/api-error.ts';
import { publicClient } from '../client/client.ts';
import type { InvitationPreview, Tokens } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { credentialsOf } from '../session/authority.ts';
import { keep } from '../session/kept-credentials.ts';
import { signOut } from '../session/sign-out.ts';
import { Form } from '../ui/form.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';
import { EmailField } from './email-field.tsx';
import { NameField } from './name-field.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { SubmitButton } from './submit-button.tsx';

export interface JoinProps {
  token: string;
  preview: InvitationPreview;
  /** Called when it cannot be accepted. */
  onProblem(problem: ApiError): void;
}

/** Joins a workspace with a new account. */
export function JoinWithAccount({ token, preview, onProblem }: JoinProps) {
  const [fullName, setFullName] = useState('');
  const [password, setPassword] = useState('');
  const join = useAction(async () => {
    const account = { token, full_name: fullName.trim(), password };
    const tokens = await publicClient.post<Tokens>('/api/invitations/accept', account);
    // Whoever was signed in here before is somebody else.
    await signOut();
    keep(credentialsOf(tokens), false);
    window.location.replace('/console');
  }, onProblem);
  return (
    <Form class="card stack" onSubmit={() => join.run()}>
      <NameField
        value={fullName}
        onChange={setFullName}
        problem={problemAt(join.problem, 'full_name', 'Your name')}
        isFocused
      />
      <EmailField value={preview.email} onChange={() => {}} isReadOnly />
      <NewPasswordField
        label="Password"
        value={password}
        onChange={setPassword}
        problem={problemAt(join.problem, 'password', 'The password')}
      />
      <ProblemMessage problem={join.problem} toldBy={['full_name', 'password']} />
      <SubmitButton isBusy={join.isBusy}>Create the account and join</SubmitButton>
    </Form>
  );
}
