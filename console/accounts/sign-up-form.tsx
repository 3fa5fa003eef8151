import { useState } from 'react';
import type { ApiError } from '../client/api-error.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { TextField } from '../components/forms/fields.tsx';
import { Form, SubmitButton } from '../components/forms/form.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useAction } from '../state/use-action.ts';
import { EmailField, NameField, NewPasswordField } from './entry-fields.tsx';

export interface SignUp {
  full_name: string;
  email: string;
  password: string;
}

export interface SignUpFormProps {
  /** Name of the request field that contains the workspace name. */
  workspaceField: string;
  isWorkspaceRequired?: boolean;
  /** @param workspace name of the workspace; empty for no workspace */
  onSubmit(account: SignUp, workspace: string): Promise<void>;
  onProblem?(problem: ApiError): void;
}

/** Form for a new account and the name of its workspace. */
export function SignUpForm({
  workspaceField,
  isWorkspaceRequired = false,
  onSubmit,
  onProblem,
}: SignUpFormProps) {
  const [fullName, setFullName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [workspace, setWorkspace] = useState('');
  const signUp = useAction(
    () => onSubmit({ full_name: fullName.trim(), email: email.trim(), password }, workspace.trim()),
    onProblem,
  );
  const { problem, isBusy } = signUp;
  return (
    <Form onSubmit={() => signUp.run()}>
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
        name={workspaceField}
        label="Workspace name"
        value={workspace}
        onChange={setWorkspace}
        problem={describeFieldProblem(problem, workspaceField, 'The workspace name')}
        hint="You can change this later."
        minLength={2}
        maxLength={255}
        autoComplete="organization"
        isRequired={isWorkspaceRequired}
      />
      <ProblemMessage problem={problem} inlineFields={['full_name', 'email', 'password', workspaceField]} />
      <SubmitButton isWide isBusy={isBusy}>
        Create account
      </SubmitButton>
    </Form>
  );
}
