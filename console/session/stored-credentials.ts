import { Store } from '../hooks/store.ts';

/** An API key, or the tokens of a session. */
export interface Credentials {
  token: string;
  /** Single-use refresh token of a session; null with an API key. */
  refreshToken: string | null;
  /** Workspace of the session. */
  orgId: string | null;
}

interface Renewal {
  spent: string;
  next: Credentials;
}

const NAME = 'parley.console';

/** Credentials, stored until the tab closes; until the sign-out if the user chose to stay signed in. */
export const storedCredentials = new Store<Credentials | null>(readStoredCredentials());

/** A duplicated tab shares the session: tell it about each renewal, so that it does not use a spent refresh token. */
const copies = new BroadcastChannel(NAME);
copies.onmessage = ({ data: { spent, next } }: MessageEvent<Renewal>) => {
  if (storedCredentials.value?.refreshToken === spent) replaceCredentials(next);
};

export function storeCredentials(credentials: Credentials, isToStay: boolean): void {
  (isToStay ? sessionStorage : localStorage).removeItem(NAME);
  (isToStay ? localStorage : sessionStorage).setItem(NAME, JSON.stringify(credentials));
  storedCredentials.set(credentials);
}

/** Replaces the credentials of the session and keeps their storage. */
export function replaceCredentials(next: Credentials): void {
  storeCredentials(next, sessionStorage.getItem(NAME) === null);
}

/** Stores renewed credentials and tells copies of this tab; does nothing if the user has signed out meanwhile. */
export function storeRenewal(renewal: Renewal): void {
  if (reloadCredentials() === null) return;
  replaceCredentials(renewal.next);
  copies.postMessage(renewal);
}

export function deleteCredentials(): void {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
  storedCredentials.set(null);
}

/**
 * Follows changes of stored credentials in other tabs.
 * @param onSignedOut called when another tab has signed out
 */
export function followOtherTabs(onSignedOut: () => void): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key !== NAME && key !== null) return;
    const before = storedCredentials.value;
    if (reloadCredentials() === null && before !== null) onSignedOut();
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

/** Reads the stored credentials, which another tab may just have changed. */
export function reloadCredentials(): Credentials | null {
  storedCredentials.set(readStoredCredentials());
  return storedCredentials.value;
}

function readStoredCredentials(): Credentials | null {
  const text = sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);
  return text === null ? null : (JSON.parse(text) as Credentials);
}
