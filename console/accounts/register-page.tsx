import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { publicClient } from '../client/client.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import type { Message } from '../client/types.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import { useAction } from '../state/use-action.ts';
import { AccountPage, DonePage } from './account-page.tsx';
import { TextField } from '../components/fields.tsx';
import { EmailField, NameField, NewPasswordField } from './entry-fields.tsx';
import { Form, SubmitButton } from '../components/form.tsx';
import { MailLocation } from '../components/mail-location.tsx';

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
  if (confirmation !== null) return <RegistrationConfirmation message={confirmation} />;
  return (
    <AccountPage title={title}>
      <Form onSubmit={() => register.run()}>
        <NameField
          value={fullName}
          onChange={setFullName}
          problem={describeFieldProblem(problem, 'full_name', 'Your name')}
          isFocused
        />
        <EmailField
          value={email}
          onChange={setEmail}
          problem={describeFieldProblem(problem, 'email', 'The email')}
        />
        <NewPasswordField
          value={password}
          onChange={setPassword}
          problem={describeFieldProblem(problem, 'password', 'The password')}
        />
        <TextField
          name="organization_name"
          label="Workspace name"
          value={workspace}
          onChange={setWorkspace}
          problem={describeFieldProblem(problem, 'organization_name', 'The workspace name')}
          hint="You can change this later."
          minLength={2}
          maxLength={255}
          autoComplete="organization"
        />
        <ProblemMessage problem={problem} inlineFields={fields} />
        <SubmitButton isWide isBusy={isBusy}>
          Create account
        </SubmitButton>
      </Form>
      <Text ta="center" c="dimmed">
        Already have an account? <Anchor href="/sign-in">Sign in</Anchor>
      </Text>
    </AccountPage>
  );
}

/** Says that the registration was received, and that the user must now confirm the address by email. */
function RegistrationConfirmation({ message }: { message: string }) {
  return (
    <DonePage title={title} message={message} after={<MailLocation />}>
      Didn't get it? Check your spam folder, or <Anchor href="/verify-email">resend the link</Anchor>.
    </DonePage>
  );
}
