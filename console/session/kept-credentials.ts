import { Store } from '../hooks/store.ts';

/** What shows who somebody is: an API key, or the tokens of a session. */
export interface Credentials {
  token: string;
  /** Gets the next tokens of a session, once; null with an API key. */
  refreshToken: string | null;
  /** The workspace that a session works in. */
  orgId: string | null;
}

interface Renewal {
  spent: string;
  next: Credentials;
}

const NAME = 'parley.console';

/** Kept until the tab is closed, or until somebody signs out where they want to stay signed in. */
export const kept = new Store<Credentials | null>(read());

/** A copy of this tab has the same session, and must not spend a refresh token that was spent here. */
const copies = new BroadcastChannel(NAME);
copies.onmessage = ({ data: { spent, next } }: MessageEvent<Renewal>) => {
  if (kept.value?.refreshToken === spent) replace(next);
};

export function keep(credentials: Credentials, isToStay: boolean): void {
  (isToStay ? sessionStorage : localStorage).removeItem(NAME);
  (isToStay ? localStorage : sessionStorage).setItem(NAME, JSON.stringify(credentials));
  kept.set(credentials);
}

/** Keeps other credentials of the same session, where and as long as those before. */
export function replace(next: Credentials): void {
  keep(next, sessionStorage.getItem(NAME) === null);
}

/** Keeps what the refresh token `spent` was spent for, unless somebody has signed out meanwhile. */
export function renew(renewal: Renewal): void {
  if (latest() === null) return;
  replace(renewal.next);
  copies.postMessage(renewal);
}

export function forget(): void {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
  kept.set(null);
}

/** Follows what other tabs do with credentials that are to stay. @param onForgotten called when one has signed out */
export function followOtherTabs(onForgotten: () => void): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key !== NAME && key !== null) return;
    const before = kept.value;
    if (latest() === null && before !== null) onForgotten();
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

/** What is kept now, whether or not this tab has been told of it yet. */
export function latest(): Credentials | null {
  kept.set(read());
  return kept.value;
}

function read(): Credentials | null {
  const text = sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);
  return text === null ? null : (JSON.parse(text) as Credentials);
}
