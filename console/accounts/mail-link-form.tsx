import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { Message } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { Form } from '../ui/form.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { EmailField } from './email-field.tsx';
import { SubmitButton } from './submit-button.tsx';
import { MailLocation } from './mail-location.tsx';

export interface MailLinkFormProps {
  /** URL of the API operation that sends the mail with the link. */
  url: string;
}

/**
 * Form that requests a mailed link. The API's response does not reveal whether the address has an account.
 */
export function MailLinkForm({ url }: MailLinkFormProps) {
  const [email, setEmail] = useState('');
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const request = useAction(async () => {
    setConfirmation(null);
    setConfirmation((await publicClient.ask<Message>(url, { email: email.trim() })).message);
  });
  return (
    <Form class="card stack" onSubmit={() => request.run()}>
      <EmailField value={email} onChange={setEmail} isFocused />
      <ProblemMessage problem={request.problem} />
      {confirmation !== null && (
        <p class="notice" role="status">
          {confirmation}
        </p>
      )}
      {confirmation !== null && <MailLocation />}
      <SubmitButton isBusy={request.isBusy}>Mail me a link</SubmitButton>
    </Form>
  );
}
