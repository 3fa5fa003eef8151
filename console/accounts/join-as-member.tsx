import { useState } from 'preact/hooks';
import { Client } from '../client/client.ts';
import type { Me, Tokens } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useLoad } from '../hooks/use-load.ts';
import { toCredentials, sessionAuthority } from '../session/authority.ts';
import { deleteCredentials, storedCredentials, replaceCredentials } from '../session/stored-credentials.ts';
import { signOut } from '../session/sign-out.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { showError } from '../ui/notices.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import type { JoinProps } from './join-with-account.tsx';

/** Accepts an invitation with the account that is signed in. */
export function JoinAsMember({ token, preview, onProblem }: JoinProps) {
  const [client] = useState(() => new Client(sessionAuthority, deleteCredentials));
  const me = useLoad((signal) => client.get<Me>('/api/auth/me', signal), []);
  const join = useAction(async () => {
    const refresh_token = storedCredentials.value?.refreshToken ?? null;
    const tokens = await client.post<Tokens>('/api/invitations/accept', { token, refresh_token });
    replaceCredentials(toCredentials(tokens));
    window.location.replace('/console');
  }, onProblem);
  const leave = async (): Promise<void> => {
    const reason = await signOut();
    if (reason !== null) showError(reason);
  };
  return (
    <LoadedView loaded={me}>
      {({ user }) => (
        <div class="card stack">
          <p>
            You are signed in as {user.full_name} ({user.email}).
          </p>
          {user.email === preview.email ? (
            <button type="button" class="primary" aria-disabled={join.isBusy} onClick={() => join.run()}>
              Join {preview.organization_name}
            </button>
          ) : (
            <p>The invitation is for {preview.email}: sign out, and sign in with that account.</p>
          )}
          <ProblemMessage problem={join.problem} />
          <ActionButton onAction={leave}>Sign out</ActionButton>
        </div>
      )}
    </LoadedView>
  );
}
