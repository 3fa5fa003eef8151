import { ApiError } from '../../client/api-error.ts';
import { publicClient } from '../../client/client.ts';
import { path } from '../../client/paths.ts';
import type { IdentityStart } from '../../client/types.ts';
import { capitalize } from '../../components/text/capitalize.ts';
import { storeAttempt, type IdentityAttempt } from './identity-attempt.ts';

/**
 * Redirects to the page of an identity provider, which redirects back to the console.
 * @throws ApiError
 */
export async function leaveForProvider(
  provider: string,
  purpose: Pick<
    IdentityAttempt,
    'staysSignedIn' | 'linksIdentity' | 'confirmsSignIn' | 'email' | 'emailCode'
  > &
    Partial<Pick<IdentityAttempt, 'returnTo'>>,
): Promise<void> {
  const start = await publicClient.ask<IdentityStart>(
    path`/api/auth/identities/${provider}/start`,
    undefined,
  );
  const { origin } = new URL(start.redirect_uri);
  const { origin: here, pathname, search } = window.location;
  // Session storage belongs to one origin. If the identity provider redirects to another origin, that page
  // cannot read the stored attempt.
  if (origin !== here)
    throw new ApiError(
      `${capitalize(provider)} redirects to ${origin}. To sign in with ${capitalize(provider)}, open ${origin}/sign-in.`,
    );
  storeAttempt({
    ...purpose,
    provider,
    state: start.state,
    nonce: start.nonce,
    codeVerifier: start.code_verifier,
    returnTo: purpose.returnTo ?? (pathname.startsWith('/sign-in') ? '/console' : pathname + search),
  });
  window.location.assign(start.authorization_url);
}
