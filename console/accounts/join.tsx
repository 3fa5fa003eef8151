import { Button, Loader, Text } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { toApiError, type ApiError } from '../client/api-error.ts';
import { Client, publicClient } from '../client/client.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import type { InvitationPreview, Me, Confirmation, Tokens } from '../client/types.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useAction } from '../state/use-action.ts';
import { sessionAuthority, toCredentials } from '../session/authority.ts';
import { signOut } from '../session/sign-out.ts';
import {
  deleteCredentials,
  replaceCredentials,
  storeCredentials,
  storedCredentials,
} from '../session/stored-credentials.ts';
import { showError } from '../components/page/notices.ts';
import { StatusText } from './account-page.tsx';
import { EmailField, NameField, NewPasswordField } from './entry-fields.tsx';
import { Form, SubmitButton } from '../components/forms/form.tsx';
import { MailLocation } from '../components/page/mail-location.tsx';
import { SignIn } from './sign-in/sign-in.tsx';

export interface JoinProps {
  token: string;
  preview: InvitationPreview;
  /** Called if the API rejects the invitation or the new account. */
  onProblem(problem: ApiError): void;
}

type NewAccount = { full_name: string; password: string };

/** Accepts an invitation by creating an account. */
export function JoinWithAccount({ token, preview, onProblem }: JoinProps) {
  const join = async (account: NewAccount): Promise<void> => {
    const tokens = await publicClient.post<Tokens>('/api/invitations/accept', { token, ...account });
    // End the session of this browser: it belongs to an account other than the invited one.
    await signOut();
    storeCredentials(toCredentials(tokens), false);
    window.location.replace('/console');
  };
  return (
    <NewAccountForm
      email={preview.email}
      label="Create account and join"
      onSubmit={join}
      onProblem={onProblem}
    />
  );
}

/**
 * Accepts an invitation whose link did not come by email, so that it does not prove the invited address. The
 * invited person first signs in, or registers and confirms the address.
 */
export function JoinByRegistering({ token, preview: { email }, onProblem }: JoinProps) {
  const [isKnown, setKnown] = useState(false);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const register = async (account: NewAccount): Promise<void> => {
    const registration = { email, invitation_token: token, ...account };
    setConfirmation((await publicClient.ask<Confirmation>('/api/auth/register', registration)).message);
  };
  if (confirmation !== null)
    return (
      <>
        <StatusText>{confirmation} Then open this link once more to join.</StatusText>
        <MailLocation />
      </>
    );
  if (isKnown) return <SignIn invited={email} />;
  return (
    <>
      <NewAccountForm email={email} label="Create account" onSubmit={register} onProblem={onProblem}>
        <Text>
          Someone shared this invitation link with you. Create your account and confirm your email. Then open
          the link again to join.
        </Text>
      </NewAccountForm>
      <Button variant="default" fullWidth onClick={() => setKnown(true)}>
        Sign in instead
      </Button>
    </>
  );
}

/** Accepts an invitation to a workspace with the account that is signed in. */
export function JoinAsMember({ token, preview, onProblem }: JoinProps) {
  const [client] = useState(() => new Client(sessionAuthority, deleteCredentials));
  const [me, setMe] = useState<Me>();
  const [problem, setProblem] = useState<ApiError | null>(null);
  const load = (): void => {
    setProblem(null);
    client.get<Me>('/api/auth/me').then(setMe, (error: unknown) => setProblem(toApiError(error)));
  };
  useEffect(load, []);
  const join = useAction(async () => {
    const refresh_token = storedCredentials.value?.refreshToken ?? null;
    const tokens = await client.post<Tokens>('/api/invitations/accept', { token, refresh_token });
    replaceCredentials(toCredentials(tokens));
    window.location.replace('/console');
  }, onProblem);
  const leave = useAction(async () => {
    const reason = await signOut();
    if (reason !== null) showError(reason);
  });
  if (me === undefined)
    return problem === null ? (
      <Loader aria-label="Loading" size="sm" />
    ) : (
      <ProblemMessage problem={problem} onRetry={load} />
    );
  return (
    <div className="form-stack">
      <Text>
        You are signed in as {me.user.full_name} ({me.user.email}).
      </Text>
      {me.user.email === preview.email ? (
        <Button fullWidth aria-disabled={join.isBusy} onClick={() => join.run()}>
          Join {preview.organization_name}
        </Button>
      ) : (
        <Text>This invitation is for {preview.email}. Sign out, then sign in with that account.</Text>
      )}
      <ProblemMessage problem={join.problem} />
      <Button variant="default" fullWidth aria-disabled={leave.isBusy} onClick={() => leave.run()}>
        Sign out
      </Button>
    </div>
  );
}

interface NewAccountFormProps {
  /** Email address that was invited; the form does not let the user change it. */
  email: string;
  /** Label of the form's submit button. */
  label: string;
  onSubmit(account: NewAccount): Promise<void>;
  onProblem(problem: ApiError): void;
  children?: ReactNode;
}

/** Form with which an invited person enters a name and a password for a new account. */
function NewAccountForm({ email, label, onSubmit, onProblem, children }: NewAccountFormProps) {
  const [fullName, setFullName] = useState('');
  const [password, setPassword] = useState('');
  const creation = useAction(() => onSubmit({ full_name: fullName.trim(), password }), onProblem);
  return (
    <Form onSubmit={() => creation.run()}>
      {children}
      <NameField
        value={fullName}
        onChange={setFullName}
        problem={describeFieldProblem(creation.problem, 'full_name', 'Your name')}
        isFocused
      />
      <EmailField value={email} onChange={() => {}} isReadOnly />
      <NewPasswordField
        value={password}
        onChange={setPassword}
        problem={describeFieldProblem(creation.problem, 'password', 'The password')}
      />
      <ProblemMessage problem={creation.problem} inlineFields={['full_name', 'password']} />
      <SubmitButton isWide isBusy={creation.isBusy}>
        {label}
      </SubmitButton>
    </Form>
  );
}
