import { useState } from 'preact/hooks';
import type { Challenge, SignInAnswer, Tokens } from '../client/types.ts';
import { toCredentials } from '../session/authority.ts';
import { storeCredentials } from '../session/stored-credentials.ts';
import { CheckboxField } from '../ui/fields.tsx';
import { CodeForm } from './code-form.tsx';
import { KeyForm } from './key-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

const ways = { password: 'Use a password', code: 'Use a code by mail', key: 'Use an API key' } as const;

type Way = keyof typeof ways;

export interface SignInProps {
  /** Address of the invited account. If it is set, the page does not offer to sign in with an API key. */
  invited?: string;
}

/** Offers all ways to sign in. Writes the tokens to `storedCredentials`, which the pages observe. */
export function SignIn({ invited }: SignInProps) {
  const [way, setWay] = useState<Way>('password');
  const [email, setEmail] = useState(invited ?? '');
  const [isToStay, setToStay] = useState(false);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const finishSignIn = (tokens: Tokens): void => storeCredentials(toCredentials(tokens), isToStay);
  const onAnswer = (answer: SignInAnswer): void =>
    'challenge_token' in answer ? setChallenge(answer) : finishSignIn(answer);
  if (challenge)
    return (
      <SecondFactorForm challenge={challenge} onTokens={finishSignIn} onRestart={() => setChallenge(null)} />
    );
  const persistenceField = (
    <CheckboxField label="Stay signed in on this computer" isChecked={isToStay} onChange={setToStay} />
  );
  const address = { email, setEmail, onAnswer, children: persistenceField };
  const others = (Object.keys(ways) as Way[]).filter(
    (each) => each !== way && !(each === 'key' && invited !== undefined),
  );
  return (
    <>
      {way === 'password' && <PasswordForm {...address} />}
      {way === 'code' && <CodeForm {...address} />}
      {way === 'key' && (
        <KeyForm onKey={(token) => storeCredentials({ token, refreshToken: null, orgId: null }, isToStay)}>
          {persistenceField}
        </KeyForm>
      )}
      <ProviderButtons isToStay={isToStay} />
      <div class="row">
        {others.map((each) => (
          <button key={each} type="button" onClick={() => setWay(each)}>
            {ways[each]}
          </button>
        ))}
      </div>
      {invited === undefined && (
        <p>
          New here? <a href="/register">Create an account</a>
        </p>
      )}
    </>
  );
}
