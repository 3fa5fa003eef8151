import { Anchor, Loader, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { toApiError, type ApiError } from '../client/api-error.ts';
import { publicClient } from '../client/client.ts';
import { path } from '../client/paths.ts';
import type { InvitationPreview } from '../client/types.ts';
import { Facts } from '../components/lists/facts.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useStore } from '../state/use-store.ts';
import { storedCredentials } from '../session/stored-credentials.ts';
import { formatFullTime } from '../components/text/format-time.ts';
import { AccountPage } from './account-page.tsx';
import { JoinAsMember, JoinByRegistering, JoinWithAccount, type JoinProps } from './join.tsx';
import { SignIn } from './sign-in/sign-in.tsx';

/** Page that the link in an invitation opens. */
export function InvitationPage({ token }: { token: string }) {
  const [preview, setPreview] = useState<InvitationPreview>();
  const [problem, setProblem] = useState<ApiError | null>(null);
  const load = useCallback((): void => {
    setProblem(null);
    publicClient
      .get<InvitationPreview>(path`/api/invitations/${token}`)
      .then(setPreview, (error: unknown) => setProblem(toApiError(error)));
  }, [token]);
  useEffect(load, [load]);
  // A 404 means that the invitation was accepted, withdrawn or has expired since the page was loaded.
  const reloadIfGone = ({ status }: ApiError): void => {
    if (status === 404) load();
  };
  if (problem?.status === 404 || problem?.status === 422) return <ExpiredInvitation />;
  return (
    <AccountPage title="You're invited">
      <ProblemMessage problem={problem} onRetry={load} />
      {preview === undefined && problem === null && <Loader aria-label="Loading" size="sm" />}
      {preview !== undefined && (
        <>
          <Facts
            facts={[
              ['Workspace', preview.organization_name],
              ['Invited by', preview.invited_by],
              ['Role', preview.role],
              ['Expires', formatFullTime(preview.expires_at)],
            ]}
          />
          <JoinForm token={token} preview={preview} onProblem={reloadIfGone} />
        </>
      )}
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
      <Text>You already have an account: {preview.email}. Sign in to join.</Text>
      <SignIn invited={preview.email} />
    </>
  );
}

function ExpiredInvitation() {
  return (
    <AccountPage
      title="This invitation is no longer valid"
      about="It may have been used or revoked, or it may have expired."
    >
      <Text>
        If you have accepted it, <Anchor href="/sign-in">sign in</Anchor>. If not, ask for a new invitation.
      </Text>
    </AccountPage>
  );
}
