import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { publicClient } from '../client/client.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import type { Tokens } from '../client/types.ts';
import { TextField } from '../components/fields.tsx';
import { Form, SubmitButton } from '../components/form.tsx';
import { ProblemMessage } from '../components/problem-message.tsx';
import { toCredentials } from '../session/authority.ts';
import { signOut } from '../session/sign-out.ts';
import { storeCredentials } from '../session/stored-credentials.ts';
import { useAction } from '../state/use-action.ts';
import { AccountPage } from './account-page.tsx';
import { EmailField, NameField, NewPasswordField } from './entry-fields.tsx';
import { SetupHint } from './setup-hint.tsx';
import { useIsSetupOpen } from './use-is-setup-open.ts';

const fields = ['full_name', 'email', 'password', 'workspace_name'];

/**
 * Page that the link on Parley's start screen opens. The person sets up the first account and the workspace,
 * and is then signed in.
 */
export function WelcomePage({ token }: { token: string | null }) {
  const [isOver, setOver] = useState(false);
  const isOpen = useIsSetupOpen();
  if (isOver || isOpen === false) return <LinkInvalid />;
  if (token === null) return <LinkNeeded />;
  return (
    <AccountPage title="Welcome to Parley" about="Create your account and workspace.">
      <SetupForm token={token} onOver={() => setOver(true)} />
    </AccountPage>
  );
}

interface SetupFormProps {
  token: string;
  /** Called if the API rejects the link. */
  onOver(): void;
}

function SetupForm({ token, onOver }: SetupFormProps) {
  const [fullName, setFullName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [workspace, setWorkspace] = useState('');
  const setup = useAction(
    async () => {
      const tokens = await publicClient.post<Tokens>('/api/ext/first-run', {
        token,
        full_name: fullName.trim(),
        email: email.trim(),
        password,
        workspace_name: workspace.trim(),
      });
      // End the session of the browser, if any: it belongs to another account.
      await signOut();
      storeCredentials(toCredentials(tokens), false);
      window.location.replace('/console');
    },
    (refused) => {
      if (refused.details.some(({ field }) => field === 'token')) onOver();
    },
  );
  const { problem, isBusy } = setup;
  return (
    <Form onSubmit={() => setup.run()}>
      <NameField
        value={fullName}
        onChange={setFullName}
        problem={describeFieldProblem(problem, 'full_name', 'Your name')}
        isFocused
      />
      <EmailField
        value={email}
        onChange={setEmail}
        problem={describeFieldProblem(problem, 'email', 'The email')}
      />
      <NewPasswordField
        value={password}
        onChange={setPassword}
        problem={describeFieldProblem(problem, 'password', 'The password')}
      />
      <TextField
        name="workspace_name"
        label="Workspace name"
        value={workspace}
        onChange={setWorkspace}
        problem={describeFieldProblem(problem, 'workspace_name', 'The workspace name')}
        hint="You can change this later."
        minLength={2}
        maxLength={255}
        autoComplete="organization"
        isRequired
      />
      <ProblemMessage problem={problem} inlineFields={fields} />
      <SubmitButton isWide isBusy={isBusy}>
        Create account
      </SubmitButton>
    </Form>
  );
}

/** Page for a visit without the link's token, for example after a reload. */
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
      about="Parley is set up already, or the link was replaced or has expired."
      isNext
    >
      <Text>
        If you aren't set up yet, restart Parley: <code>npm start</code> prints a new link.
      </Text>
      <Button component="a" href="/sign-in" fullWidth>
        Sign in
      </Button>
    </AccountPage>
  );
}
