import type { ApiError } from '../client/api-error.ts';
import { publicClient } from '../client/client.ts';
import { path } from '../client/paths.ts';
import type { InvitationPreview } from '../client/types.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useStore } from '../hooks/store.ts';
import { storedCredentials } from '../session/stored-credentials.ts';
import { Facts } from '../ui/facts.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { TimeText } from '../ui/time-text.tsx';
import { AccountPage } from './account-page.tsx';
import { JoinByRegistering } from './join-by-registering.tsx';
import { JoinAsMember } from './join-as-member.tsx';
import { JoinWithAccount, type JoinProps } from './join-with-account.tsx';
import { SignIn } from './sign-in.tsx';

/** Page that the link in an invitation opens. */
export function InvitationPage({ token }: { token: string }) {
  const invitation = useLoad(
    (signal) => publicClient.get<InvitationPreview>(path`/api/invitations/${token}`, signal),
    [token],
  );
  // A 404 means that the invitation was accepted, withdrawn or has expired since the page was loaded.
  const reloadIfGone = (problem: ApiError): void => {
    if (problem.status === 404) invitation.reload();
  };
  const status = invitation.problem?.status;
  if (status === 404 || status === 422) return <ExpiredInvitation />;
  return (
    <AccountPage title="You are invited">
      <LoadedView loaded={invitation}>
        {(preview) => (
          <>
            <Facts
              facts={[
                ['Workspace', preview.organization_name],
                ['Invited by', preview.invited_by],
                ['As', preview.role],
                ['Until', <TimeText at={preview.expires_at} />],
              ]}
            />
            <JoinForm token={token} preview={preview} onProblem={reloadIfGone} />
          </>
        )}
      </LoadedView>
    </AccountPage>
  );
}

function JoinForm(props: JoinProps) {
  const { preview } = props;
  const credentials = useStore(storedCredentials);
  if (credentials?.refreshToken && (preview.has_account || preview.takes_account))
    return <JoinAsMember {...props} />;
  if (preview.takes_account) return <JoinByRegistering {...props} />;
  if (!preview.has_account) return <JoinWithAccount {...props} />;
  return (
    <>
      <p>There is an account for {preview.email}. Sign in to it to join.</p>
      <SignIn invited={preview.email} />
    </>
  );
}

function ExpiredInvitation() {
  return (
    <AccountPage title="This invitation is over">
      <p>This invitation was accepted, withdrawn or replaced, or it has expired.</p>
      <p>
        If you have accepted it, <a href="/sign-in">sign in</a>. If not, ask the person who invited you to
        send it again.
      </p>
    </AccountPage>
  );
}
