import { Anchor, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { publicClient } from '../../client/client.ts';
import type { SignInResult } from '../../client/types.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { useAction } from '../../state/use-action.ts';
import { CurrentPasswordField } from '../../components/forms/fields.tsx';
import { EmailField } from '../entry-fields.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';

export interface AddressFormProps {
  email: string;
  /** Changes the email address; undefined if the address is fixed because the user is signed in already. */
  setEmail?: (email: string) => void;
  children: ReactNode;
  onAnswer(answer: SignInResult): void;
}

export function PasswordForm({ email, setEmail, children, onAnswer }: AddressFormProps) {
  const [password, setPassword] = useState('');
  const signIn = useAction(async () =>
    onAnswer(await publicClient.ask<SignInResult>('/api/auth/login', { email: email.trim(), password })),
  );
  return (
    <Form onSubmit={() => signIn.run()}>
      {setEmail && <EmailField value={email} onChange={setEmail} isFocused={email === ''} />}
      <CurrentPasswordField value={password} onChange={setPassword} isFocused={email !== ''} />
      <Group justify="space-between">
        {children}
        <Anchor href="/forgot-password" size="sm">
          Forgot password?
        </Anchor>
      </Group>
      <ProblemMessage problem={signIn.problem} />
      <SubmitButton isWide isBusy={signIn.isBusy}>
        Sign in
      </SubmitButton>
    </Form>
  );
}
