import { ApiError } from '../client/api-error.ts';
import { publicClient } from '../client/client.ts';
import { path } from '../client/paths.ts';
import type { IdentityStart, Meta } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useLoad } from '../hooks/use-load.ts';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { keepAttempt } from './identity-attempt.ts';

/** A way in for each identity provider that this Parley knows. */
export function ProviderButtons({ isToStay }: { isToStay: boolean }) {
  const { data: meta } = useLoad((signal) => publicClient.get<Meta>('/api/meta', signal), []);
  const start = useAction((provider: string) => leaveFor(provider, isToStay));
  const providers = meta?.identity_providers ?? [];
  if (providers.length === 0) return null;
  return (
    <div class="stack" role="group" aria-label="Identity providers">
      {providers.map((provider) => (
        <button key={provider} type="button" disabled={start.isBusy} onClick={() => start.run(provider)}>
          Continue with {provider}
        </button>
      ))}
      <ProblemMessage problem={start.problem} />
    </div>
  );
}

/** @throws ApiError */
async function leaveFor(provider: string, isToStay: boolean): Promise<void> {
  const start = await publicClient.ask<IdentityStart>(
    path`/api/auth/identities/${provider}/start`,
    undefined,
  );
  const { origin } = new URL(start.redirect_uri);
  const { origin: here, pathname, hash } = window.location;
  // What is kept here cannot be read where the provider leads back to.
  if (origin !== here)
    throw new ApiError(`${provider} leads back to ${origin}: open ${origin}/sign-in to sign in with it.`);
  keepAttempt({
    provider,
    state: start.state,
    nonce: start.nonce,
    codeVerifier: start.code_verifier,
    isToStay,
    returnTo: pathname.startsWith('/sign-in') ? '/console' : pathname + hash,
  });
  window.location.assign(start.authorization_url);
}
