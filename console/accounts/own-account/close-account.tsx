import { useState } from 'react';
import type { Me, Message } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { CurrentPasswordField, TextField, type TextFieldProps } from '../../components/fields.tsx';
import { Form } from '../../components/form.tsx';
import { SubmitOrCancel } from '../../components/submit-or-cancel.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { Section } from '../../components/section.tsx';

export function CloseAccount({ me }: { me: Me }) {
  return (
    <Section title="Close the account">
      <p>
        You leave all workspaces, and your sessions and API keys stop at once. What you wrote to visitors
        stays. A workspace that only you own needs another owner first, or is to be deleted.
      </p>
      <DialogButton name="Close my account" kind="danger">
        {() => <CloseForm me={me} />}
      </DialogButton>
    </Section>
  );
}

/**
 * Form that deletes the account. Asks for the password and a second factor; users who have neither sign in
 * again instead.
 */
function CloseForm({ me: { user } }: { me: Me }) {
  const { client, signOut } = useSession();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const close = useAction(async () => {
    const proof = { password: password || null, code: code.trim() || null };
    const { message } = await client.post<Message>('/api/auth/me/delete', proof);
    await signOut();
    showConfirmation(message);
  });
  const codeField: Omit<TextFieldProps, 'label'> = {
    value: code,
    onChange: setCode,
    problem: describeFieldProblem(close.problem, 'code', 'The code'),
    minLength: 4,
    maxLength: 64,
    autoComplete: 'one-time-code',
    isRequired: true,
  };
  return (
    <Form className="stack" onSubmit={() => close.run()}>
      <p>It cannot be reopened.</p>
      {user.has_password && (
        <CurrentPasswordField
          value={password}
          onChange={setPassword}
          problem={describeFieldProblem(close.problem, 'password', 'This')}
          isFocused
        />
      )}
      {user.mfa_enabled && (
        <TextField {...codeField} label="Code of your authenticator app, or a recovery code" />
      )}
      <ProblemMessage problem={close.problem} inlineFields={['password', 'code']} />
      <SubmitOrCancel isBusy={close.isBusy}>Close my account</SubmitOrCancel>
    </Form>
  );
}
