import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { publicClient } from '../client/client.ts';
import type { Confirmation } from '../client/types.ts';
import { AccountPage, DonePage } from './account-page.tsx';
import { MailLocation } from '../components/page/mail-location.tsx';
import { SignUpForm, type SignUp } from './sign-up-form.tsx';

const title = 'Create an account';

export function RegisterPage() {
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const register = async (account: SignUp, workspace: string): Promise<void> => {
    const request = { ...account, ...(workspace !== '' && { organization_name: workspace }) };
    setConfirmation((await publicClient.ask<Confirmation>('/api/auth/register', request)).message);
  };
  if (confirmation !== null) return <RegistrationConfirmation message={confirmation} />;
  return (
    <AccountPage title={title}>
      <SignUpForm workspaceField="organization_name" onSubmit={register} />
      <Text ta="center" c="dimmed">
        Already have an account? <Anchor href="/sign-in">Sign in</Anchor>
      </Text>
    </AccountPage>
  );
}

/**
 * Confirms the registration, and asks the user to open the link that was emailed to the new account's
 * address.
 */
function RegistrationConfirmation({ message }: { message: string }) {
  return (
    <DonePage title={title} message={message} after={<MailLocation />}>
      Didn't get it? Check your spam folder, or <Anchor href="/verify-email">resend the email</Anchor>.
    </DonePage>
  );
}
