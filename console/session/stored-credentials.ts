import { Store } from '../client/store.ts';

/** Credentials of the user: an API key, or the tokens of a session. */
export interface Credentials {
  token: string;
  /** Refresh token of the session, which can be used once; null for an API key. */
  refreshToken: string | null;
  /** Id of the session's workspace; null for an API key, and for a user without a workspace. */
  orgId: string | null;
}

interface Renewal {
  spent: string;
  next: Credentials;
}

const NAME = 'parley.console';

/**
 * Credentials of the user, from the browser's storage. The storage keeps them until the tab is closed or, if
 * the user chose to stay signed in, until the user signs out.
 */
export const storedCredentials = new Store<Credentials | null>(readStoredCredentials());

/**
 * Channel that sends renewed credentials to other tabs of the browser. A duplicated tab has the same refresh
 * token, which can be used only once.
 */
const copies = new BroadcastChannel(NAME);
copies.onmessage = ({ data: { spent, next } }: MessageEvent<Renewal>) => {
  if (storedCredentials.value?.refreshToken === spent) replaceCredentials(next);
};

export function storeCredentials(credentials: Credentials, staysSignedIn: boolean): void {
  (staysSignedIn ? sessionStorage : localStorage).removeItem(NAME);
  (staysSignedIn ? localStorage : sessionStorage).setItem(NAME, JSON.stringify(credentials));
  storedCredentials.set(credentials);
}

/** Replaces the stored credentials of the session, in session storage or local storage, wherever they are. */
export function replaceCredentials(next: Credentials): void {
  storeCredentials(next, sessionStorage.getItem(NAME) === null);
}

/**
 * Stores renewed credentials and announces them to duplicates of this tab. Does nothing if the user has
 * signed out during the renewal.
 */
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
 * Reloads the user's credentials whenever another tab changes them. Returns a function that stops this.
 * @param onSignedOut called after the user has signed out in another tab
 */
export function followOtherTabs(onSignedOut: () => void): () => void {
  const handleStorage = ({ key }: StorageEvent) => {
    if (key !== NAME && key !== null) return;
    const before = storedCredentials.value;
    if (reloadCredentials() === null && before !== null) onSignedOut();
  };
  window.addEventListener('storage', handleStorage);
  return () => window.removeEventListener('storage', handleStorage);
}

/** Reads the credentials from the browser's storage, which another tab may have changed. */
export function reloadCredentials(): Credentials | null {
  storedCredentials.set(readStoredCredentials());
  return storedCredentials.value;
}

function readStoredCredentials(): Credentials | null {
  const text = sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);
  return text === null ? null : (JSON.parse(text) as Credentials);
}
