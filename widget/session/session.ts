import { ApiError, type ApiClient } from './api-client.ts';
import { answered, isExpired, isRemoved } from './connection.ts';
import { generateBrowserId } from '../../browser/new-id.ts';
import type { Store } from './store.ts';
import type { Choice, Credential, Stored } from './stored.ts';
import { toJson } from './to-json.ts';
import { wait } from './wait.ts';

/** A token that proves the visitor's identity, or a function that returns a fresh one. */
export type IdentitySource = string | (() => string | Promise<string>) | undefined;

/** How long the page may take to identify the visitor. */
const IDENTITY_MS = 10_000;

/** Proof of the visitor's identity for the API. */
interface Proof {
  token?: string | undefined;
  visitorSecret?: string | undefined;
}

export interface SessionDeps {
  api: ApiClient;
  store: Store;
  visitorId: string | undefined;
  /** Called for each session that starts here or in another tab. */
  began(credential: Credential): void;
  /** Called when the conversation was deleted. */
  removed(): void;
  connected(isConnected: boolean): void;
}

/** The visitor's session: starts on first use, survives reloads, and is replaced after it has expired. */
export class Session {
  readonly #deps: SessionDeps;
  /** Identifies the visitor according to this page. */
  visitor: string | undefined;
  #identity: IdentitySource;
  /** Settles once the visitor is known. No conversation is used before. */
  #identified: Promise<unknown> | undefined;
  #isIdentified = false;
  #starting: Promise<Credential> | undefined;
  /** Consent that is being sent, shared by all calls that wait for it. */
  #telling: { what: string; told: Promise<void> } | undefined;
  #leaving = new AbortController();

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  get credential(): Credential | undefined {
    return this.#isIdentified ? this.#deps.store.read().credential : undefined;
  }

  /** True if the API may know the visitor, from this conversation or an earlier one. */
  get isKnown(): boolean {
    const { store, visitorId = store.read().visitorId } = this.#deps;
    return this.credential !== undefined || visitorId !== undefined || this.#identity !== undefined;
  }

  /**
   * Sets the visitor. Forgets the conversation if it belongs to another one.
   * @returns whether the visitor has changed
   */
  identify(source: IdentitySource): Promise<boolean> {
    this.#identity = source;
    const identifying = this.#identify(source);
    this.#identified = identifying;
    return identifying;
  }

  async #identify(source: IdentitySource): Promise<boolean> {
    const token = await tokenOf(source);
    if (this.#identity !== source) return false;
    this.#isIdentified = true;
    const identity = token === undefined ? undefined : subjectOf(token);
    const { store, visitorId: pageVisitorId } = this.#deps;
    this.visitor = toJson([identity, pageVisitorId]);
    const kept = store.read();
    if (kept.identity === identity && kept.pageVisitorId === pageVisitorId) return false;
    const isNew = kept.identity === undefined && kept.pageVisitorId === pageVisitorId;
    store.clear({ identity, pageVisitorId, ...(isNew && ofVisitor(kept)) });
    this.#leaving.abort();
    this.#leaving = new AbortController();
    this.#starting = undefined;
    return true;
  }

  async whenIdentified(): Promise<void> {
    for (let awaited; awaited !== this.#identified;) {
      awaited = this.#identified;
      await awaited;
    }
  }

  /** Calls with the session; starts one if there is none or it has expired. */
  async use<T>(call: (credential: Credential) => Promise<T>): Promise<T> {
    await this.whenIdentified();
    const credential = this.credential ?? (await this.#start());
    try {
      return await this.#afterConsent(credential, call);
    } catch (error) {
      if (!isExpired(error)) throw error;
      this.forgetRemoved(credential, error);
      return this.#afterConsent(await this.renew(credential), call);
    }
  }

  /** Like `use`, but also replaces a session that has ended. */
  async useOpen<T>(call: (credential: Credential) => Promise<T>): Promise<T> {
    try {
      return await this.use(call);
    } catch (error) {
      const { credential } = this;
      if (!credential || !(error instanceof ApiError) || error.code !== 'conflict') throw error;
      const state = await this.useExisting((current) => this.#deps.api.session(current));
      if (state !== null && state.status !== 'ended') throw error;
      return this.#afterConsent(await this.renew(credential), call);
    }
  }

  /**
   * Calls with the current session.
   * @returns null if there is no session or it has expired
   * @throws AbortError if the visitor has changed meanwhile
   */
  async useExisting<T>(call: (credential: Credential) => Promise<T>): Promise<T | null> {
    await this.whenIdentified();
    const { credential } = this;
    if (!credential) return null;
    const { signal } = this.#leaving;
    try {
      const told = await this.#afterConsent(credential, call);
      signal.throwIfAborted();
      return told;
    } catch (error) {
      if (!isExpired(error)) throw error;
      this.forgetRemoved(credential, error);
      return null;
    }
  }

  /** Forgets the stored conversation if the error says that it was deleted. */
  forgetRemoved({ sessionId }: Credential, error: unknown): void {
    if (!isRemoved(error) || this.credential?.sessionId !== sessionId) return;
    this.#deps.store.update({ credential: undefined, history: [], meetings: [] });
    this.#deps.removed();
  }

  /** Replaces an expired session. */
  renew(expired: Credential): Promise<Credential> {
    return this.#start(expired);
  }

  #start(expired?: Credential): Promise<Credential> {
    if (this.#starting) return this.#starting;
    const { signal } = this.#leaving;
    const starting = this.#deps.store
      .alone(() => this.#begin(signal, expired))
      .finally(() => {
        if (this.#starting === starting) this.#starting = undefined;
      });
    this.#starting = starting;
    return starting;
  }

  /** Returns the session of all tabs: one that another tab has started meanwhile, otherwise a new one. */
  async #begin(signal: AbortSignal, expired: Credential | undefined): Promise<Credential> {
    signal.throwIfAborted();
    const credential = this.#unless(expired) ?? (await this.#open(signal, expired));
    this.#deps.began(credential);
    return credential;
  }

  /** Returns the current session unless it is the expired one. */
  #unless(expired: Credential | undefined): Credential | undefined {
    const { credential } = this;
    return credential?.sessionId === expired?.sessionId ? undefined : credential;
  }

  /** Sends a pending consent before any other call of the session. */
  async #afterConsent<T>(credential: Credential, call: (credential: Credential) => Promise<T>): Promise<T> {
    const { untoldConsent: consent } = this.#deps.store.read();
    if (consent !== undefined) {
      const what = credential.sessionId + consent;
      if (this.#telling?.what !== what) this.#telling = { what, told: this.#tell(credential, consent) };
      await this.#telling.told;
    }
    return call(credential);
  }

  async #tell(credential: Credential, consent: Choice): Promise<void> {
    const { api, store } = this.#deps;
    try {
      await api.change(credential, 'consent', { consent });
      if (store.read().untoldConsent === consent) store.update({ untoldConsent: undefined });
    } finally {
      this.#telling = undefined;
    }
  }

  async #open(signal: AbortSignal, expired: Credential | undefined): Promise<Credential> {
    const { store } = this.#deps;
    const token = await tokenOf(this.#identity);
    const { visitorSecret } = store.read();
    const opened = await this.#ask({ token, visitorSecret }, signal).catch((error: unknown) => {
      // A rejected proof is left out; the visitor may still chat.
      const proof = {
        ...(!isAbout('identity_token', error) && { token }),
        ...(!isAbout('visitor_secret', error) && { visitorSecret }),
      };
      if ('token' in proof && 'visitorSecret' in proof) throw error;
      return this.#ask(proof, signal);
    });
    // If the page has no locks, another tab may have started a session meanwhile.
    const other = this.#unless(expired);
    if (other) return other;
    const credential = { sessionId: opened.session_id, token: opened.visitor_token };
    const { isRefused, untoldConsent = isRefused ? 'denied' : undefined } = store.read();
    store.update({
      credential,
      visitorId: opened.visitor_id,
      visitorSecret: opened.visitor_secret,
      untoldConsent,
    });
    return credential;
  }

  /** Requests a session once, across any number of connections and pages. */
  #ask(proof: Proof, signal: AbortSignal) {
    const { api, store, connected } = this.#deps;
    // A request with a token is not stored.
    const isKept = proof.token === undefined;
    const kept = isKept ? store.read().beginning : undefined;
    const { key, body } = kept ?? { key: generateBrowserId(), body: this.#bodyOf(proof) };
    if (isKept) store.update({ beginning: { key, body } });
    return answered(() => api.startSession(body, key), { signal, connected }).finally(() =>
      store.update({ beginning: undefined }),
    );
  }

  #bodyOf({ token, visitorSecret }: Proof): object {
    const { store, visitorId = store.read().visitorId } = this.#deps;
    const page = new URL(location.href);
    page.hash = '';
    return {
      ...(visitorId !== undefined && { visitor_id: visitorId }),
      ...(visitorSecret !== undefined && { visitor_secret: visitorSecret }),
      page_url: page.href.slice(0, 2000),
      ...(document.referrer && { referrer: document.referrer.slice(0, 2000) }),
      ...(token !== undefined && { identity_token: token }),
    };
  }
}

function isAbout(name: string, error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ field }) => field === name);
}

/** Returns the state that belongs to the visitor before identification. */
function ofVisitor({ visitorId, visitorSecret, isLeadSettled, isRefused, untoldConsent }: Stored): Stored {
  return { visitorId, visitorSecret, isLeadSettled, isRefused, untoldConsent };
}

async function tokenOf(source: IdentitySource): Promise<string | undefined> {
  try {
    const token = typeof source === 'function' ? await Promise.race([source(), wait(IDENTITY_MS)]) : source;
    return typeof token === 'string' && token !== '' ? token : undefined;
  } catch {
    // The page's function failed, so the visitor stays anonymous.
    return undefined;
  }
}

/** Returns the subject of a token without verifying it, which only the API can. */
function subjectOf(token: string): string {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return String((JSON.parse(atob(payload)) as { sub?: unknown }).sub);
  } catch {
    return 'unknown';
  }
}
