import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { Message } from '../client/types.ts';
import type { JoinProps } from './join-with-account.tsx';
import { NewAccountForm } from './new-account-form.tsx';
import { SignIn } from './sign-in.tsx';
import { MailLocation } from './mail-location.tsx';

/**
 * Accepts an invitation whose link did not come by mail, so that it does not prove the invited address. The
 * invited person first signs in, or registers and confirms the address.
 */
export function JoinByRegistering({ token, preview: { email }, onProblem }: JoinProps) {
  const [isKnown, setKnown] = useState(false);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const register = async (account: { full_name: string; password: string }) => {
    const registration = { email, invitation_token: token, ...account };
    setConfirmation((await publicClient.ask<Message>('/api/auth/register', registration)).message);
  };
  if (confirmation !== null)
    return (
      <>
        <p class="notice" role="status">
          {confirmation} Then open this link once more to join.
        </p>
        <MailLocation />
      </>
    );
  if (isKnown) return <SignIn invited={email} />;
  return (
    <>
      <NewAccountForm email={email} label="Create the account" onSubmit={register} onProblem={onProblem}>
        <p>
          The person who invited you has passed this link on. Create your account and confirm your address;
          then the link lets you in.
        </p>
      </NewAccountForm>
      <button type="button" onClick={() => setKnown(true)}>
        I have an account: sign in
      </button>
    </>
  );
}
