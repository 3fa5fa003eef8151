/** What must be there again when an identity provider leads back. */
export interface IdentityAttempt {
  provider: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Whether whoever signs in wants to stay so. */
  isToStay: boolean;
  /** Whether it is for somebody who has signed in already. */
  isToLink: boolean;
  /** Whether it is for somebody who has signed in already, and does so again. */
  isToProve: boolean;
  /** A path of this server. */
  returnTo: string;
}

const NAME = 'parley.identity';

/** For this tab alone, and for once. */
export function keepAttempt(attempt: IdentityAttempt): void {
  sessionStorage.setItem(NAME, JSON.stringify(attempt));
}

export function takeAttempt(): IdentityAttempt | null {
  const text = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return text === null ? null : (JSON.parse(text) as IdentityAttempt);
}
