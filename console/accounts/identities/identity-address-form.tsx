import { Button } from '@mantine/core';
import { useState } from 'react';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { useAction } from '../../state/use-action.ts';
import { StatusText } from '../account-page.tsx';
import { EmailField, MailedCodeField } from '../entry-fields.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import type { IdentityAttempt } from './identity-attempt.ts';
import { leaveForProvider } from './leave-for-provider.ts';
import { MailLocation } from '../../components/page/mail-location.tsx';
import { capitalize } from '../../components/text/capitalize.ts';

/**
 * Request fields of `finishIdentity` with the email address and its code. The API asks for them if the
 * identity provider does not confirm an address.
 */
export const addressFields = ['email', 'email_code'] as const;

export interface IdentityAddressFormProps {
  attempt: IdentityAttempt;
  /** The request field that the API asks for: the email address or its code. */
  field: (typeof addressFields)[number];
  /** Message of the API's error that asks for the field. */
  message: string;
}

/**
 * Form for the user's email address, or for the code that was emailed to it. The form leads to the identity
 * provider's page again, because the provider's authorization code works once.
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
      <Form onSubmit={() => resume.run()}>
        <StatusText>
          {attempt.email === undefined
            ? `${capitalize(provider)} didn't share a verified email. Which email should your account use?`
            : message}
        </StatusText>
        <EmailField value={email} onChange={setEmail} isFocused />
        <ProblemMessage problem={resume.problem} />
        <SubmitButton isWide isBusy={resume.isBusy}>
          Send code
        </SubmitButton>
      </Form>
    );
  return (
    <Form onSubmit={() => resume.run(code.trim())}>
      <StatusText>{attempt.emailCode === undefined ? `We emailed a code to ${email}.` : message}</StatusText>
      <MailLocation />
      <MailedCodeField value={code} onChange={setCode} />
      <ProblemMessage problem={resume.problem} />
      <SubmitButton isWide isBusy={resume.isBusy}>
        Sign in
      </SubmitButton>
      <Button variant="subtle" color="gray" onClick={() => resume.run()}>
        Resend code
      </Button>
    </Form>
  );
}
