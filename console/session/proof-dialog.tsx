import { useState } from 'preact/hooks';
import { CodeForm } from '../accounts/code-form.tsx';
import { PasswordForm } from '../accounts/password-form.tsx';
import { ProviderButtons } from '../accounts/provider-buttons.tsx';
import { SecondFactorForm } from '../accounts/second-factor-form.tsx';
import { Client } from '../client/client.ts';
import type { Challenge, Identity, Me, SignInAnswer, Tokens } from '../client/types.ts';
import { useStore } from '../hooks/store.ts';
import { useAction } from '../hooks/use-action.ts';
import { useLoad } from '../hooks/use-load.ts';
import { Dialog } from '../ui/dialog.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { sessionAuthority } from './authority.ts';
import { proofRequest } from './fresh-proof.ts';
import { replaceSession } from './replace-session.ts';

/** Dialog that asks the user to sign in again, after which the operation continues. */
export function ProofDialog() {
  const request = useStore(proofRequest);
  if (request === null) return null;
  return (
    <Dialog title="Sign in again" onClose={() => request.settle(false)}>
      <p>
        What you are about to do gives lasting access or takes content out, and you have signed in a while
        ago.
      </p>
      <Proof onProven={() => request.settle(true)} />
    </Dialog>
  );
}

async function loadSignInMethods(signal: AbortSignal): Promise<{ me: Me; providers: string[] }> {
  const client = new Client(sessionAuthority);
  const [me, identities] = await Promise.all([
    client.get<Me>('/api/auth/me', signal),
    client.get<Identity[]>('/api/auth/identities', signal),
  ]);
  return { me, providers: identities.map(({ provider }) => provider) };
}

function Proof({ onProven }: { onProven(): void }) {
  const own = useLoad(loadSignInMethods, []);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const goOn = useAction(async (tokens: Tokens) => {
    await replaceSession(tokens);
    onProven();
  });
  const onAnswer = (answer: SignInAnswer): void =>
    'challenge_token' in answer ? setChallenge(answer) : goOn.run(answer);
  if (challenge)
    return (
      <SecondFactorForm challenge={challenge} onTokens={goOn.run} onRestart={() => setChallenge(null)} />
    );
  return (
    <LoadedView loaded={own}>
      {({ me: { user }, providers }) => {
        const address = { email: user.email, onAnswer, children: null };
        return (
          <>
            {user.has_password ? <PasswordForm {...address} /> : <CodeForm {...address} />}
            <ProviderButtons isToStay={false} isToProve only={providers} />
            <ProblemMessage problem={goOn.problem} />
          </>
        );
      }}
    </LoadedView>
  );
}
