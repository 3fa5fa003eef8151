import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { SignInAnswer } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { CurrentPasswordField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { EmailField } from './email-field.tsx';
import { SubmitButton } from './submit-button.tsx';

export interface AddressFormProps {
  email: string;
  /** Changes the address; undefined if the address is fixed because the user is signed in already. */
  setEmail?: (email: string) => void;
  children: ComponentChildren;
  onAnswer(answer: SignInAnswer): void;
}

export function PasswordForm({ email, setEmail, children, onAnswer }: AddressFormProps) {
  const [password, setPassword] = useState('');
  const signIn = useAction(async () =>
    onAnswer(await publicClient.ask<SignInAnswer>('/api/auth/login', { email: email.trim(), password })),
  );
  return (
    <Form class="card stack" onSubmit={() => signIn.run()}>
      {setEmail && <EmailField value={email} onChange={setEmail} isFocused={email === ''} />}
      <CurrentPasswordField value={password} onChange={setPassword} isFocused={email !== ''} />
      {children}
      <ProblemMessage problem={signIn.problem} />
      <div class="row">
        <SubmitButton isBusy={signIn.isBusy}>Sign in</SubmitButton>
        <a href="/forgot-password">Forgot the password?</a>
      </div>
    </Form>
  );
}
