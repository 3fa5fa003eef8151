import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { Message } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { describeFieldProblem, ProblemMessage } from '../ui/problem-message.tsx';
import { AccountPage } from './account-page.tsx';
import { RegistrationConfirmation } from './registration-confirmation.tsx';
import { EmailField } from './email-field.tsx';
import { NameField } from './name-field.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { SubmitButton } from './submit-button.tsx';

const title = 'Create an account';
const fields = ['full_name', 'email', 'password', 'organization_name'];

export function RegisterPage() {
  const [fullName, setFullName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [workspace, setWorkspace] = useState('');
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const register = useAction(async () => {
    const { message } = await publicClient.ask<Message>('/api/auth/register', {
      full_name: fullName.trim(),
      email: email.trim(),
      password,
      ...(workspace.trim() !== '' && { organization_name: workspace.trim() }),
    });
    setConfirmation(message);
  });
  const { problem, isBusy } = register;
  if (confirmation !== null) return <RegistrationConfirmation title={title} message={confirmation} />;
  return (
    <AccountPage title={title}>
      <Form class="card stack" onSubmit={() => register.run()}>
        <NameField
          value={fullName}
          onChange={setFullName}
          problem={describeFieldProblem(problem, 'full_name', 'Your name')}
          isFocused
        />
        <EmailField
          value={email}
          onChange={setEmail}
          problem={describeFieldProblem(problem, 'email', 'The e-mail address')}
        />
        <NewPasswordField
          label="Password"
          value={password}
          onChange={setPassword}
          problem={describeFieldProblem(problem, 'password', 'The password')}
        />
        <TextField
          label="Name of the workspace"
          value={workspace}
          onChange={setWorkspace}
          problem={describeFieldProblem(problem, 'organization_name', 'The name of the workspace')}
          hint="Where your team will work; by default it is called after you."
          minLength={2}
          maxLength={255}
          autoComplete="organization"
        />
        <ProblemMessage problem={problem} inlineFields={fields} />
        <SubmitButton isBusy={isBusy}>Create the account</SubmitButton>
      </Form>
      <p>
        You have one? <a href="/sign-in">Sign in</a>
      </p>
    </AccountPage>
  );
}
