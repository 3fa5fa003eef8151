import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../client/api-error.ts';
import { useAction } from '../hooks/use-action.ts';
import { Form } from '../ui/form.tsx';
import { describeFieldProblem, ProblemMessage } from '../ui/problem-message.tsx';
import { EmailField } from './email-field.tsx';
import { NameField } from './name-field.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { SubmitButton } from './submit-button.tsx';

export interface NewAccountFormProps {
  /** Address that was invited; the form does not let the user change it. */
  email: string;
  /** Label of the submit button. */
  label: string;
  onSubmit(account: { full_name: string; password: string }): Promise<void>;
  onProblem(problem: ApiError): void;
  children?: ComponentChildren;
}

/** Form with which an invited person enters a name and a password for a new account. */
export function NewAccountForm({ email, label, onSubmit, onProblem, children }: NewAccountFormProps) {
  const [fullName, setFullName] = useState('');
  const [password, setPassword] = useState('');
  const creation = useAction(() => onSubmit({ full_name: fullName.trim(), password }), onProblem);
  return (
    <Form class="card stack" onSubmit={() => creation.run()}>
      {children}
      <NameField
        value={fullName}
        onChange={setFullName}
        problem={describeFieldProblem(creation.problem, 'full_name', 'Your name')}
        isFocused
      />
      <EmailField value={email} onChange={() => {}} isReadOnly />
      <NewPasswordField
        label="Password"
        value={password}
        onChange={setPassword}
        problem={describeFieldProblem(creation.problem, 'password', 'The password')}
      />
      <ProblemMessage problem={creation.problem} inlineFields={['full_name', 'password']} />
      <SubmitButton isBusy={creation.isBusy}>{label}</SubmitButton>
    </Form>
  );
}
