import type { ApiError } from '../client/api-error.ts';
import { publicClient } from '../client/client.ts';
import type { InvitationPreview, Tokens } from '../client/types.ts';
import { toCredentials } from '../session/authority.ts';
import { storeCredentials } from '../session/stored-credentials.ts';
import { signOut } from '../session/sign-out.ts';
import { NewAccountForm } from './new-account-form.tsx';

export interface JoinProps {
  token: string;
  preview: InvitationPreview;
  /** Called if the API rejects the invitation or the new account. */
  onProblem(problem: ApiError): void;
}

/** Accepts an invitation by creating an account. */
export function JoinWithAccount({ token, preview, onProblem }: JoinProps) {
  const join = async (account: { full_name: string; password: string }) => {
    const tokens = await publicClient.post<Tokens>('/api/invitations/accept', { token, ...account });
    // End the session of the browser: it belongs to another account.
    await signOut();
    storeCredentials(toCredentials(tokens), false);
    window.location.replace('/console');
  };
  return (
    <NewAccountForm
      email={preview.email}
      label="Create the account and join"
      onSubmit={join}
      onProblem={onProblem}
    />
  );
}
