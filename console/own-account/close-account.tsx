import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { Me, Message } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { DialogButton } from '../ui/dialog-button.tsx';
import { PresentPasswordField, TextField, type TextFieldProps } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { tell } from '../ui/notices.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';
import { Section } from '../ui/section.tsx';
import { SubmitOrCancel } from '../ui/submit-or-cancel.tsx';

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

/** Asks for what shows that its owner closes it: the password, the second factor or, where there is neither, a mailed code. */
function CloseForm({ me: { user } }: { me: Me }) {
  const { client, signOut } = useSession();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const close = useAction(async () => {
    const proof = { password: password || null, code: code.trim() || null };
    const { message } = await client.post<Message>('/api/auth/me/delete', proof);
    await signOut();
    tell(message);
  });
  const codeField: Omit<TextFieldProps, 'label'> = {
    value: code,
    onChange: setCode,
    problem: problemAt(close.problem, 'code', 'The code'),
    minLength: 4,
    maxLength: 64,
    autoComplete: 'one-time-code',
    isRequired: true,
  };
  return (
    <Form class="stack" onSubmit={() => close.run()}>
      <p>Nobody can open it again.</p>
      {user.has_password && (
        <PresentPasswordField
          value={password}
          onChange={setPassword}
          problem={problemAt(close.problem, 'password', 'This')}
          isFocused
        />
      )}
      {user.mfa_enabled && (
        <TextField {...codeField} label="Code of your authenticator app, or a recovery code" />
      )}
      {!user.has_password && !user.mfa_enabled && <MailedCode email={user.email} field={codeField} />}
      <ProblemMessage problem={close.problem} toldBy={['password', 'code']} />
      <SubmitOrCancel isBusy={close.isBusy}>Close my account</SubmitOrCancel>
    </Form>
  );
}

function MailedCode({ email, field }: { email: string; field: Omit<TextFieldProps, 'label'> }) {
  const [told, setTold] = useState<string | null>(null);
  const request = useAction(async () => {
    setTold((await publicClient.ask<Message>('/api/auth/otp/request', { email })).message);
  });
  return (
    <>
      <TextField
        {...field}
        label="Code from the mail"
        hint="Six digits; they work once, and only for a short while."
      />
      {told !== null && <p role="status">{told}</p>}
      <ProblemMessage problem={request.problem} />
      <button type="button" disabled={request.isBusy} onClick={() => request.run()}>
        Mail me a code
      </button>
    </>
  );
}
