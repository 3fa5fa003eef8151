import { useState } from 'preact/hooks';
import { useAction } from '../hooks/use-action.ts';
import { Form } from '../ui/form.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { EmailField } from './email-field.tsx';
import type { IdentityAttempt } from './identity-attempt.ts';
import { leaveForProvider } from './leave-for-provider.ts';
import { MailLocation } from './mail-location.tsx';
import { MailedCodeField } from './mailed-code-field.tsx';
import { SubmitButton } from './submit-button.tsx';

/** Fields of finishIdentity that the API asks for if the provider confirms no address. */
export const addressFields = ['email', 'email_code'] as const;

export interface IdentityAddressFormProps {
  attempt: IdentityAttempt;
  /** The field that the API asks for. */
  field: (typeof addressFields)[number];
  /** Message of the error that asks for the field. */
  message: string;
}

/**
 * Form for the user's address, or for the code that was mailed to it. It leads to the provider's page again,
 * because the provider's authorization code works once.
 */
export function IdentityAddressForm({ attempt, field, message }: IdentityAddressFormProps) {
  const { provider, staysSignedIn, linksIdentity, confirmsSignIn, returnTo } = attempt;
  const purpose = { staysSignedIn, linksIdentity, confirmsSignIn, returnTo };
  const [email, setEmail] = useState(attempt.email ?? '');
  const [code, setCode] = useState('');
  const resume = useAction((emailCode?: string) =>
    leaveForProvider(provider, { ...purpose, email: email.trim(), ...(emailCode && { emailCode }) }),
  );
  if (field === 'email')
    return (
      <Form class="card stack" onSubmit={() => resume.run()}>
        <p role="status">
          {attempt.email === undefined
            ? `${provider} does not confirm an e-mail address of yours. Which one shall your account have?`
            : message}
        </p>
        <EmailField value={email} onChange={setEmail} isFocused />
        <ProblemMessage problem={resume.problem} />
        <SubmitButton isBusy={resume.isBusy}>Mail me a code</SubmitButton>
      </Form>
    );
  return (
    <Form class="card stack" onSubmit={() => resume.run(code.trim())}>
      <p role="status">{attempt.emailCode === undefined ? `A code was mailed to ${email}.` : message}</p>
      <MailLocation />
      <MailedCodeField value={code} onChange={setCode} />
      <ProblemMessage problem={resume.problem} />
      <div class="row">
        <SubmitButton isBusy={resume.isBusy}>Sign in</SubmitButton>
        <button type="button" class="plain" onClick={() => resume.run()}>
          Mail another code
        </button>
      </div>
    </Form>
  );
}
