/** Data of a sign-in with an identity provider, stored while the user is on the provider's page. */
export interface IdentityAttempt {
  provider: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Whether to stay signed in after the browser is closed. */
  staysSignedIn: boolean;
  /** Whether the user is signed in and wants to link the identity to the account. */
  linksIdentity: boolean;
  /** Whether the user is signed in, and signs in again to permit a sensitive operation. */
  confirmsSignIn: boolean;
  /** Path on this server that the console opens after the sign-in. */
  returnTo: string;
  /** Email address that the user typed, if the identity provider confirms none. */
  email?: string;
  /** Code that the user received at the typed email address. */
  emailCode?: string;
}

const NAME = 'parley.identity';

/**
 * Stores the data of a sign-in with an identity provider in this tab, until `takeAttempt` reads and removes
 * it.
 */
export function storeAttempt(attempt: IdentityAttempt): void {
  sessionStorage.setItem(NAME, JSON.stringify(attempt));
}

let takenAttempt: IdentityAttempt | null | undefined;

/**
 * Returns the data of the sign-in after which the identity provider redirected to this page, and removes it
 * from the tab. React may render a page several times before users see it, so all calls return the same data.
 */
export function takeAttempt(): IdentityAttempt | null {
  if (takenAttempt !== undefined) return takenAttempt;
  const text = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  takenAttempt = text === null ? null : (JSON.parse(text) as IdentityAttempt);
  return takenAttempt;
}
