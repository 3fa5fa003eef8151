import { Loader, Text, Title } from '@mantine/core';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { CodeForm } from '../accounts/sign-in/code-form.tsx';
import { PasswordForm } from '../accounts/sign-in/password-form.tsx';
import { ProviderButtons } from '../accounts/sign-in/provider-buttons.tsx';
import { SecondFactorForm } from '../accounts/sign-in/second-factor-form.tsx';
import { toApiError, type ApiError } from '../client/api-error.ts';
import { Client } from '../client/client.ts';
import type { Challenge, Identity, Me, SignInResult, Tokens } from '../client/types.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useAction } from '../state/use-action.ts';
import { sessionAuthority } from './authority.ts';
import type { ProofRequest } from './fresh-proof.ts';
import { replaceSession } from './replace-session.ts';

/**
 * Dialog that asks the user to sign in again, after which the user's operation continues. Uses the browser's
 * modal dialog: the operation may have started in another modal dialog, and only the topmost modal dialog
 * accepts input.
 */
export function ProofDialog({ request }: { request: ProofRequest }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  const close = (): void => request.settle(false);
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
  const handleClose = (): void => {
    // Ignore the close event of an unmounted dialog, which the browser sends after the unmount.
    if (dialog.current !== null) close();
  };
  return (
    <dialog
      ref={dialog}
      className="proof-dialog"
      aria-labelledby={id}
      onClose={handleClose}
      onKeyDown={handleKey}
    >
      <Title order={2} id={id}>
        Sign in again
      </Title>
      <Text c="dimmed">Please confirm it's you before continuing.</Text>
      <Proof onProven={() => request.settle(true)} />
    </dialog>
  );
}

interface SignInMethods {
  me: Me;
  providers: string[];
}

async function loadSignInMethods(): Promise<SignInMethods> {
  const client = new Client(sessionAuthority);
  const [me, identities] = await Promise.all([
    client.get<Me>('/api/auth/me'),
    client.get<Identity[]>('/api/auth/identities'),
  ]);
  return { me, providers: identities.map(({ provider }) => provider) };
}

function Proof({ onProven }: { onProven(): void }) {
  const [methods, setMethods] = useState<SignInMethods>();
  const [problem, setProblem] = useState<ApiError | null>(null);
  const load = (): void => {
    setProblem(null);
    loadSignInMethods().then(setMethods, (error: unknown) => setProblem(toApiError(error)));
  };
  useEffect(load, []);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const finishProof = useAction(async (tokens: Tokens) => {
    await replaceSession(tokens);
    onProven();
  });
  const onAnswer = (answer: SignInResult): void =>
    'challenge_token' in answer ? setChallenge(answer) : finishProof.run(answer);
  if (challenge)
    return (
      <SecondFactorForm
        challenge={challenge}
        onTokens={finishProof.run}
        onRestart={() => setChallenge(null)}
      />
    );
  if (methods === undefined)
    return problem === null ? (
      <Loader size="sm" aria-label="Loading" />
    ) : (
      <ProblemMessage problem={problem} onRetry={load} />
    );
  const { user } = methods.me;
  const address = { email: user.email, onAnswer, children: null };
  return (
    <>
      {user.has_password ? <PasswordForm {...address} /> : <CodeForm {...address} />}
      <ProviderButtons staysSignedIn={false} confirmsSignIn only={methods.providers} />
      <ProblemMessage problem={finishProof.problem} />
    </>
  );
}
