import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../client/api-error.ts';
import { publicClient } from '../client/client.ts';
import { path } from '../client/paths.ts';
import type { Challenge, SignInAnswer, Tokens } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { credentialsOf } from '../session/authority.ts';
import { keep } from '../session/kept-credentials.ts';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { AccountPage } from './account-page.tsx';
import { takeAttempt, type IdentityAttempt } from './identity-attempt.ts';
import { SecondFactorForm } from './second-factor-form.tsx';

export interface IdentityReturnProps {
  provider: string;
  /** What the provider has sent along. */
  query: URLSearchParams;
}

/** Where an identity provider leads back to. */
export function IdentityReturn({ provider, query }: IdentityReturnProps) {
  const [attempt] = useState(takeAttempt);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const finish = (tokens: Tokens): void => {
    keep(credentialsOf(tokens), attempt?.isToStay ?? false);
    window.location.replace(attempt?.returnTo ?? '/console');
  };
  const redeem = useAction(async () => {
    const answer = await bringBack(provider, query, attempt);
    if ('challenge_token' in answer) setChallenge(answer);
    else finish(answer);
  });
  const startAgain = (): void => window.location.replace(attempt?.returnTo ?? '/sign-in');
  useEffect(() => redeem.run(), []);
  return (
    <AccountPage title={`Sign in with ${provider}`}>
      {challenge && <SecondFactorForm challenge={challenge} onTokens={finish} onRestart={startAgain} />}
      {redeem.isBusy && <p role="status">One moment …</p>}
      <ProblemMessage problem={redeem.problem} />
      {redeem.problem && (
        <button type="button" onClick={startAgain}>
          Start again
        </button>
      )}
    </AccountPage>
  );
}

/** @throws ApiError */
async function bringBack(
  provider: string,
  query: URLSearchParams,
  attempt: IdentityAttempt | null,
): Promise<SignInAnswer> {
  const [code, state] = [query.get('code'), query.get('state')];
  if (attempt === null || attempt.provider !== provider || attempt.state !== state)
    throw new ApiError('This sign-in was not begun in this tab, or is over already. Start again.');
  if (code === null)
    throw new ApiError(`${provider} did not sign you in. Start again, or choose another way in.`);
  return publicClient.post<SignInAnswer>(path`/api/auth/identities/${provider}/callback`, {
    code,
    state,
    code_verifier: attempt.codeVerifier,
    nonce: attempt.nonce,
    iss: query.get('iss'),
  });
}
