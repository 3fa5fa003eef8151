import { Anchor, Button, Checkbox, Divider, Text } from '@mantine/core';
import { useState } from 'react';
import type { Challenge, SignInResult, Tokens } from '../../client/types.ts';
import { toCredentials } from '../../session/authority.ts';
import { storeCredentials } from '../../session/stored-credentials.ts';
import { CodeForm } from './code-form.tsx';
import { KeyForm } from './key-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

const ways = { password: 'Use a password', code: 'Email me a sign-in code', key: 'Use an API key' } as const;

type SignInMethod = keyof typeof ways;

export interface SignInProps {
  /**
   * Email address of the invited account. With an address, the page does not offer to sign in with an API
   * key.
   */
  invited?: string;
}

/**
 * Offers all ways to sign in. Writes the session's tokens to `storedCredentials`, whose changes the pages
 * observe.
 */
export function SignIn({ invited }: SignInProps) {
  const [method, setMethod] = useState<SignInMethod>('password');
  const [email, setEmail] = useState(invited ?? '');
  const [staysSignedIn, setStaysSignedIn] = useState(false);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const finishSignIn = (tokens: Tokens): void => storeCredentials(toCredentials(tokens), staysSignedIn);
  const onAnswer = (answer: SignInResult): void =>
    'challenge_token' in answer ? setChallenge(answer) : finishSignIn(answer);
  if (challenge)
    return (
      <SecondFactorForm challenge={challenge} onTokens={finishSignIn} onRestart={() => setChallenge(null)} />
    );
  const persistenceField = (
    <Checkbox
      label="Keep me signed in"
      checked={staysSignedIn}
      onChange={({ currentTarget }) => setStaysSignedIn(currentTarget.checked)}
    />
  );
  const address = { email, setEmail, onAnswer, children: persistenceField };
  const others = (Object.keys(ways) as SignInMethod[]).filter(
    (each) => each !== method && !(each === 'key' && invited !== undefined),
  );
  return (
    <>
      {method === 'password' && <PasswordForm {...address} />}
      {method === 'code' && <CodeForm {...address} />}
      {method === 'key' && (
        <KeyForm
          onKey={(token) => storeCredentials({ token, refreshToken: null, orgId: null }, staysSignedIn)}
        >
          {persistenceField}
        </KeyForm>
      )}
      <Divider label="or" labelPosition="center" />
      <ProviderButtons staysSignedIn={staysSignedIn} />
      <div className="form-stack tight">
        {others.map((each) => (
          <Button key={each} variant="default" fullWidth onClick={() => setMethod(each)}>
            {ways[each]}
          </Button>
        ))}
      </div>
      {invited === undefined && (
        <Text ta="center" c="dimmed">
          New here? <Anchor href="/register">Create an account</Anchor>
        </Text>
      )}
    </>
  );
}
