import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { publicClient } from '../client/client.ts';
import type { FirstRunRequest, Tokens } from '../client/types.ts';
import { toCredentials } from '../session/authority.ts';
import { signOut } from '../session/sign-out.ts';
import { storeCredentials } from '../session/stored-credentials.ts';
import { AccountPage } from './account-page.tsx';
import { SetupHint } from './sign-in/setup-hint.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { useIsSetupOpen } from './sign-in/use-is-setup-open.ts';

/**
 * Page that the link on Parley's start screen opens, for setting up an installation. A person creates the
 * first account and the workspace, and is then signed in.
 */
export function WelcomePage({ token }: { token: string | null }) {
  const [isLinkInvalid, setLinkInvalid] = useState(false);
  const isOpen = useIsSetupOpen();
  if (isLinkInvalid || isOpen === false) return <LinkInvalid />;
  if (token === null) return <LinkNeeded />;
  return (
    <AccountPage title="Welcome to Parley" about="Create your account and workspace.">
      <SignUpForm
        workspaceField="workspace_name"
        isWorkspaceRequired
        onSubmit={(account, workspace_name) => setUp({ ...account, token, workspace_name })}
        onProblem={({ details }) => {
          if (details.some(({ field }) => field === 'token')) setLinkInvalid(true);
        }}
      />
    </AccountPage>
  );
}

async function setUp(request: FirstRunRequest): Promise<void> {
  const tokens = await publicClient.post<Tokens>('/api/ext/first-run', request);
  // End the session of this browser, if any: it belongs to an account other than the new one.
  await signOut();
  storeCredentials(toCredentials(tokens), false);
  window.location.replace('/console');
}

/** Page for a visit without the set-up link's token, for example after a reload. */
function LinkNeeded() {
  return (
    <AccountPage title="Welcome to Parley" about="This installation isn't set up yet.">
      <Text>
        <SetupHint />
      </Text>
    </AccountPage>
  );
}

function LinkInvalid() {
  return (
    <AccountPage
      title="This link is no longer valid"
      about="Parley is already set up, or the link has expired or was replaced."
      replacesForm
    >
      <Text>
        If Parley isn't set up yet, restart it: <code>npm start</code> prints a new link.
      </Text>
      <Button component="a" href="/sign-in" fullWidth>
        Sign in
      </Button>
    </AccountPage>
  );
}
