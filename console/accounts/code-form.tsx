import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { Message } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { Form } from '../ui/form.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { EmailField } from './email-field.tsx';
import type { AddressFormProps } from './password-form.tsx';
import { MailedCodeField } from './mailed-code-field.tsx';
import { SubmitButton } from './submit-button.tsx';
import { MailLocation } from './mail-location.tsx';

/** Form that signs the user in with a six-digit code sent by mail. */
export function CodeForm({ email, setEmail, children, onAnswer }: AddressFormProps) {
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [code, setCode] = useState('');
  const request = useAction(async () => {
    const { message } = await publicClient.ask<Message>('/api/auth/otp/request', { email: email.trim() });
    setConfirmation(message);
  });
  const verify = useAction(async () =>
    onAnswer(await publicClient.post('/api/auth/otp/verify', { email: email.trim(), code: code.trim() })),
  );
  if (confirmation === null)
    return (
      <Form key="request" class="card stack" onSubmit={() => request.run()}>
        {setEmail && <EmailField value={email} onChange={setEmail} isFocused />}
        <ProblemMessage problem={request.problem} />
        <SubmitButton isBusy={request.isBusy}>Mail me a code</SubmitButton>
      </Form>
    );
  return (
    <Form key="verify" class="card stack" onSubmit={() => verify.run()}>
      <p role="status">{confirmation}</p>
      <MailLocation />
      <MailedCodeField
        value={code}
        onChange={setCode}
        hint="Six digits; they work once, and only for a short while."
      />
      {children}
      <ProblemMessage problem={verify.problem} />
      <div class="row">
        <SubmitButton isBusy={verify.isBusy}>Sign in</SubmitButton>
        <button type="button" class="plain" onClick={() => setConfirmation(null)}>
          Ask for another code
        </button>
      </div>
    </Form>
  );
}
