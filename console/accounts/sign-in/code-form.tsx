import { Button } from '@mantine/core';
import { useState } from 'react';
import { publicClient } from '../../client/client.ts';
import type { Confirmation } from '../../client/types.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { useAction } from '../../state/use-action.ts';
import { StatusText } from '../account-page.tsx';
import { EmailField, MailedCodeField } from '../entry-fields.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import { MailLocation } from '../../components/page/mail-location.tsx';
import type { AddressFormProps } from './password-form.tsx';

/** Form that signs the user in with a six-digit code sent by email. */
export function CodeForm({ email, setEmail, children, onAnswer }: AddressFormProps) {
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [code, setCode] = useState('');
  const request = useAction(async () => {
    const { message } = await publicClient.ask<Confirmation>('/api/auth/otp/request', {
      email: email.trim(),
    });
    setConfirmation(message);
  });
  const verify = useAction(async () =>
    onAnswer(await publicClient.post('/api/auth/otp/verify', { email: email.trim(), code: code.trim() })),
  );
  if (confirmation === null)
    return (
      <Form key="request" onSubmit={() => request.run()}>
        {setEmail && <EmailField value={email} onChange={setEmail} isFocused />}
        <ProblemMessage problem={request.problem} />
        <SubmitButton isWide isBusy={request.isBusy}>
          Send code
        </SubmitButton>
      </Form>
    );
  return (
    <Form key="verify" onSubmit={() => verify.run()}>
      <StatusText>{confirmation}</StatusText>
      <MailLocation />
      <MailedCodeField value={code} onChange={setCode} />
      {children}
      <ProblemMessage problem={verify.problem} />
      <SubmitButton isWide isBusy={verify.isBusy}>
        Sign in
      </SubmitButton>
      <Button variant="subtle" color="gray" onClick={() => setConfirmation(null)}>
        Resend code
      </Button>
    </Form>
  );
}
