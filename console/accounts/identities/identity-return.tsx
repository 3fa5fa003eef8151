import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ApiError } from '../../client/api-error.ts';
import { Client, publicClient } from '../../client/client.ts';
import { path } from '../../client/paths.ts';
import type { Challenge, Identity, SignInResult, Tokens } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { toCredentials, sessionAuthority } from '../../session/authority.ts';
import { storeCredentials } from '../../session/stored-credentials.ts';
import { replaceSession } from '../../session/replace-session.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { capitalize } from '../../components/text/capitalize.ts';
import { AccountPage } from '../account-page.tsx';
import { addressFields, IdentityAddressForm } from './identity-address-form.tsx';
import { takeAttempt, type IdentityAttempt } from './identity-attempt.ts';
import { SecondFactorForm } from '../sign-in/second-factor-form.tsx';

export interface IdentityReturnProps {
  provider: string;
  /** Query parameters that the identity provider added to the URL. */
  query: URLSearchParams;
}

/** Page to which an identity provider redirects after a sign-in. */
export function IdentityReturn({ provider, query }: IdentityReturnProps) {
  const [attempt] = useState(takeAttempt);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const leave = (): void => window.location.replace(attempt?.returnTo ?? '/console');
  const finishSignIn = async (tokens: Tokens): Promise<void> => {
    if (attempt?.confirmsSignIn) {
      await replaceSession(tokens);
      return leave();
    }
    storeCredentials(toCredentials(tokens), attempt?.staysSignedIn ?? false);
    leave();
  };
  const redeem = useAction(async () => {
    const request = parseCallback(provider, query, attempt);
    const url = path`/api/auth/identities/${provider}`;
    if (attempt?.linksIdentity) {
      await new Client(sessionAuthority).post<Identity>(`${url}/link`, request);
      return leave();
    }
    const answer = await publicClient.post<SignInResult>(`${url}/callback`, request);
    if ('challenge_token' in answer) setChallenge(answer);
    else await finishSignIn(answer);
  });
  const missing = addressFields.find((field) =>
    redeem.problem?.details.some((detail) => detail.field === field),
  );
  const startAgain = (): void => window.location.replace(attempt?.returnTo ?? '/sign-in');
  useEffect(() => redeem.run(), []);
  return (
    <AccountPage
      title={attempt?.linksIdentity ? `Link ${capitalize(provider)}` : `Sign in with ${capitalize(provider)}`}
    >
      {challenge && (
        <SecondFactorForm
          challenge={challenge}
          onTokens={(tokens) => void finishSignIn(tokens)}
          onRestart={startAgain}
        />
      )}
      {redeem.isBusy && <Text role="status">Please wait…</Text>}
      {attempt && missing ? (
        <IdentityAddressForm attempt={attempt} field={missing} message={redeem.problem?.message ?? ''} />
      ) : (
        <ProblemMessage problem={redeem.problem} />
      )}
      {redeem.problem && (
        <Button variant="default" onClick={startAgain}>
          {attempt?.linksIdentity ? 'Back to your account' : 'Start over'}
        </Button>
      )}
    </AccountPage>
  );
}

/**
 * Reads the identity provider's authorization code from the query of the URL to which the provider
 * redirected.
 * @throws ApiError if this tab did not start the sign-in, or if the provider rejected it
 */
function parseCallback(provider: string, query: URLSearchParams, attempt: IdentityAttempt | null) {
  const [code, state] = [query.get('code'), query.get('state')];
  if (attempt === null || attempt.provider !== provider || attempt.state !== state)
    throw new ApiError('This sign-in link has expired. Please try again.');
  if (code === null)
    throw new ApiError(
      `${capitalize(provider)} didn't sign you in. Start over, or choose another way to sign in.`,
    );
  const { codeVerifier: code_verifier, nonce, email, emailCode: email_code } = attempt;
  const address = attempt.linksIdentity ? {} : { email, email_code };
  return { code, state, code_verifier, nonce, iss: query.get('iss'), ...address };
}
