import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { InvitationPreview, Tokens } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { credentialsOf } from '../session/authority.ts';
import { keep } from '../session/kept-credentials.ts';
import { signOut } from '../session/sign-out.ts';
import { Form } from '../ui/form.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { EmailField } from './email-field.tsx';
import { NameField } from './name-field.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { SubmitButton } from './submit-button.tsx';

export interface JoinProps {
  token: string;
  preview: InvitationPreview;
}

const labels = { full_name: 'Your name', password: 'The password' };

/** Joins a workspace with a new account. */
export function JoinWithAccount({ token, preview }: JoinProps) {
  const [fullName, setFullName] = useState('');
  const [password, setPassword] = useState('');
  const join = useAction(async () => {
    const account = { token, full_name: fullName.trim(), password };
    const tokens = await publicClient.post<Tokens>('/api/invitations/accept', account);
    // Whoever was signed in here before is somebody else.
    await signOut();
    keep(credentialsOf(tokens), false);
    window.location.replace('/console');
  });
  return (
    <Form class="card stack" onSubmit={() => join.run()}>
      <NameField value={fullName} onChange={setFullName} />
      <EmailField value={preview.email} onChange={() => {}} isReadOnly />
      <NewPasswordField label="Password" value={password} onChange={setPassword} />
      <ProblemMessage problem={join.problem} labels={labels} />
      <SubmitButton isBusy={join.isBusy}>Create the account and join</SubmitButton>
    </Form>
  );
}
