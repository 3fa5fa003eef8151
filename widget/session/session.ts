import { ApiError, type ApiClient } from './api-client.ts';
import { answered, isExpired, isRemoved } from './connection.ts';
import { newId } from '../../browser/new-id.ts';
import type { Store } from './store.ts';
import type { Choice, Credential, Stored } from './stored.ts';
import { toJson } from './to-json.ts';
import { wait } from './wait.ts';

/** A token that proves who the visitor is, or what gets a fresh one. */
export type IdentitySource = string | (() => string | Promise<string>) | undefined;

/** A page that has not told in this time who the visitor is says nothing. */
const IDENTITY_MS = 10_000;

/** What tells the API whose session it is. */
interface Proof {
  token?: string | undefined;
  visitorSecret?: string | undefined;
}

export interface SessionDeps {
  api: ApiClient;
  store: Store;
  visitorId: string | undefined;
  /** Told of each session that begins here, or that another tab has begun. */
  began(credential: Credential): void;
  /** Told when the conversation is not there any more. */
  removed(): void;
  connected(isConnected: boolean): void;
}

/** The visitor's session: begun when it is first needed, kept over reloads, and replaced when it has expired. */
export class Session {
  readonly #deps: SessionDeps;
  /** Whom this page says the visitor is. */
  visitor: string | undefined;
  #identity: IdentitySource;
  /** Nobody's conversation is touched before it is known whose it is. */
  #identified: Promise<unknown> | undefined;
  #isIdentified = false;
  #starting: Promise<Credential> | undefined;
  /** What the visitor has said of consent, on its way to the API: once for all calls that wait for it. */
  #telling: { what: string; told: Promise<void> } | undefined;
  #leaving = new AbortController();

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  get credential(): Credential | undefined {
    return this.#isIdentified ? this.#deps.store.read().credential : undefined;
  }

  /** The API may know the visitor, from this conversation or an earlier one. */
  get isKnown(): boolean {
    const { store, visitorId = store.read().visitorId } = this.#deps;
    return this.credential !== undefined || visitorId !== undefined || this.#identity !== undefined;
  }

  /** Forgets the conversation when it is of somebody else than the page says the visitor is; returns whether it was. */
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

  /** Calls with the session, a new one if there is none or it has expired. */
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

  /** Like `use`, and a session that has ended is replaced, too. */
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
   * Calls with the session that is there; null where there is none, or it has expired.
   * @throws AbortError when it was left for another person's meanwhile
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

  /** What is kept of a conversation goes with it. @param error what the API has said of its session */
  forgetRemoved({ sessionId }: Credential, error: unknown): void {
    if (!isRemoved(error) || this.credential?.sessionId !== sessionId) return;
    this.#deps.store.update({ credential: undefined, history: [], meetings: [] });
    this.#deps.removed();
  }

  /** Another session in the place of one that is over. */
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

  /** The session of all tabs: the one that another has begun meanwhile, or else a new one. */
  async #begin(signal: AbortSignal, expired: Credential | undefined): Promise<Credential> {
    signal.throwIfAborted();
    const credential = this.#unless(expired) ?? (await this.#open(signal, expired));
    this.#deps.began(credential);
    return credential;
  }

  /** The session that is there, unless it is this one. */
  #unless(expired: Credential | undefined): Credential | undefined {
    const { credential } = this;
    return credential?.sessionId === expired?.sessionId ? undefined : credential;
  }

  /** The API hears what the visitor has said of consent before it hears anything else. */
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
      // What is not accepted proves nothing; the visitor can still talk.
      const proof = {
        ...(!isAbout('identity_token', error) && { token }),
        ...(!isAbout('visitor_secret', error) && { visitorSecret }),
      };
      if ('token' in proof && 'visitorSecret' in proof) throw error;
      return this.#ask(proof, signal);
    });
    // Where tabs cannot wait for each other, another one may have been faster.
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

  /** Asks for a session, once, over as many connections and pages as that takes. */
  #ask(proof: Proof, signal: AbortSignal) {
    const { api, store, connected } = this.#deps;
    // A token is not kept in the browser.
    const isKept = proof.token === undefined;
    const kept = isKept ? store.read().beginning : undefined;
    const { key, body } = kept ?? { key: newId(), body: this.#bodyOf(proof) };
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

/** What the API knows a visitor by who has not been identified, and what they have said of their contact details. */
function ofVisitor({ visitorId, visitorSecret, isLeadSettled, isRefused, untoldConsent }: Stored): Stored {
  return { visitorId, visitorSecret, isLeadSettled, isRefused, untoldConsent };
}

async function tokenOf(source: IdentitySource): Promise<string | undefined> {
  try {
    const token = typeof source === 'function' ? await Promise.race([source(), wait(IDENTITY_MS)]) : source;
    return typeof token === 'string' && token !== '' ? token : undefined;
  } catch {
    // The page's own function has failed: nobody is identified.
    return undefined;
  }
}

/** Whom a token is about; the API alone decides whether that is true. */
function subjectOf(token: string): string {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return String((JSON.parse(atob(payload)) as { sub?: unknown }).sub);
  } catch {
    return 'unknown';
  }
}
