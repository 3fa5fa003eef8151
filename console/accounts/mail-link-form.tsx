import { useState } from 'react';
import { publicClient } from '../client/client.ts';
import type { Confirmation } from '../client/types.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useAction } from '../state/use-action.ts';
import { StatusText } from './account-page.tsx';
import { EmailField } from './entry-fields.tsx';
import { Form, SubmitButton } from '../components/forms/form.tsx';
import { MailLocation } from '../components/page/mail-location.tsx';

export interface MailLinkFormProps {
  /** URL of the API operation that sends the email with the link. */
  url: string;
  /** Label of the button. */
  label: string;
}

/**
 * Form that requests an emailed link. The API's response does not reveal whether the address has an account.
 */
export function MailLinkForm({ url, label }: MailLinkFormProps) {
  const [email, setEmail] = useState('');
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const request = useAction(async () => {
    setConfirmation(null);
    setConfirmation((await publicClient.ask<Confirmation>(url, { email: email.trim() })).message);
  });
  return (
    <Form onSubmit={() => request.run()}>
      <EmailField value={email} onChange={setEmail} isFocused />
      <ProblemMessage problem={request.problem} />
      {confirmation !== null && <StatusText>{confirmation}</StatusText>}
      {confirmation !== null && <MailLocation />}
      <SubmitButton isWide isBusy={request.isBusy}>
        {label}
      </SubmitButton>
    </Form>
  );
}
