/** State of a sign-in with an identity provider, stored until the provider redirects back. */
export interface IdentityAttempt {
  provider: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Whether the session should outlive the browser. */
  isToStay: boolean;
  /** Whether the user is signed in and links the identity to the account. */
  isToLink: boolean;
  /** Whether the user is signed in and signs in again for a sensitive operation. */
  isToProve: boolean;
  /** Path on this server to open after the sign-in. */
  returnTo: string;
}

const NAME = 'parley.identity';

/** Stores the attempt for this tab; `takeAttempt` removes it. */
export function storeAttempt(attempt: IdentityAttempt): void {
  sessionStorage.setItem(NAME, JSON.stringify(attempt));
}

export function takeAttempt(): IdentityAttempt | null {
  const text = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return text === null ? null : (JSON.parse(text) as IdentityAttempt);
}
