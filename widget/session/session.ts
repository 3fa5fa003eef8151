import type { IdentitySource } from '../../sdk/typescript/src/widget.ts';
import { warn } from '../report.ts';
import { ApiError, type VisitorApi } from './api-client.ts';
import { callUntilAnswered, isSessionExpired, isConversationDeleted } from './connection.ts';
import { generateBrowserId } from '../../browser/new-id.ts';
import type { Store } from './store.ts';
import type { ConsentChoice, Credential, StoredState } from './stored-state.ts';
import { toJson } from './to-json.ts';
import { wait } from './wait.ts';

/** Maximum milliseconds to wait for the page to return the visitor's identity token. */
const IDENTITY_TIMEOUT_MS = 10_000;

/** Proofs of the visitor's identity that a request for a session contains. */
interface VisitorProof {
  token?: string | undefined;
  visitorSecret?: string | undefined;
}

export interface SessionDeps {
  api: VisitorApi;
  store: Store;
  visitorId: string | undefined;
  /** Called for each session that is started, in this tab or in another. */
  onStarted(credential: Credential): void;
  /** Called when the API has reported that the conversation was deleted. */
  onRemoved(): void;
  setConnected(isConnected: boolean): void;
}

/**
 * The visitor's session with the API. It starts on first use, is shared by all tabs, survives reloads, and is
 * replaced after it has expired.
 */
export class Session {
  readonly #deps: SessionDeps;
  /**
   * Key that identifies the visitor in this browser, made from the identity that the page has given;
   * undefined before identification.
   */
  visitorKey: string | undefined;
  #identity: IdentitySource;
  /**
   * Resolves when the page has identified the visitor. Before that, the widget reads and continues no
   * conversation.
   */
  #identifying: Promise<unknown> | undefined;
  #isIdentified = false;
  #starting: Promise<Credential> | undefined;
  /** Request that sends the visitor's consent, shared by all calls that must wait for it. */
  #consentCall: { key: string; sent: Promise<void> } | undefined;
  #abortController = new AbortController();

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  get credential(): Credential | undefined {
    return this.#isIdentified ? this.#deps.store.read().credential : undefined;
  }

  /** True if the API may know the visitor from this conversation or an earlier conversation. */
  get isKnown(): boolean {
    const { store, visitorId = store.read().visitorId } = this.#deps;
    return this.credential !== undefined || visitorId !== undefined || this.#identity !== undefined;
  }

  /**
   * Sets the visitor's identity. Removes the stored conversation if it belongs to another visitor.
   * @returns whether the visitor has changed
   */
  identify(source: IdentitySource): Promise<boolean> {
    this.#identity = source;
    const identifying = this.#identify(source);
    this.#identifying = identifying;
    return identifying;
  }

  async #identify(source: IdentitySource): Promise<boolean> {
    const token = await readToken(source, this.#deps.api.base);
    if (this.#identity !== source) return false;
    this.#isIdentified = true;
    const identity = token === undefined ? undefined : readSubject(token);
    const { store, visitorId: pageVisitorId } = this.#deps;
    this.visitorKey = toJson([identity, pageVisitorId]);
    const stored = store.read();
    if (stored.identity === identity && stored.pageVisitorId === pageVisitorId) return false;
    const isNew = stored.identity === undefined && stored.pageVisitorId === pageVisitorId;
    store.clear({ identity, pageVisitorId, ...(isNew && pickVisitorState(stored)) });
    this.#abortController.abort();
    this.#abortController = new AbortController();
    this.#starting = undefined;
    return true;
  }

  async waitUntilIdentified(): Promise<void> {
    for (let lastIdentifying; lastIdentifying !== this.#identifying;) {
      lastIdentifying = this.#identifying;
      await lastIdentifying;
    }
  }

  /**
   * Makes an API call in the visitor's session. Starts a session if the visitor has none or it has expired.
   */
  async use<T>(call: (credential: Credential) => Promise<T>): Promise<T> {
    await this.waitUntilIdentified();
    const credential = this.credential ?? (await this.#startOnce());
    try {
      return await this.#callAfterConsent(credential, call);
    } catch (error) {
      if (!isSessionExpired(error)) throw error;
      this.forgetIfDeleted(credential, error);
      return this.#callAfterConsent(await this.renew(credential), call);
    }
  }

  /** Makes an API call like `use`, but also starts a new session if the conversation has ended. */
  async useActive<T>(call: (credential: Credential) => Promise<T>): Promise<T> {
    try {
      return await this.use(call);
    } catch (error) {
      const { credential } = this;
      if (!credential || !(error instanceof ApiError) || error.code !== 'conflict') throw error;
      const state = await this.useExisting((current) => this.#deps.api.readSession(current));
      if (state !== null && state.status !== 'ended') throw error;
      return this.#callAfterConsent(await this.renew(credential), call);
    }
  }

  /**
   * Makes an API call in the visitor's current session, without starting one.
   * @returns null if there is no session or it has expired
   * @throws AbortError if the visitor has changed meanwhile
   */
  async useExisting<T>(call: (credential: Credential) => Promise<T>): Promise<T | null> {
    await this.waitUntilIdentified();
    const { credential } = this;
    if (!credential) return null;
    const { signal } = this.#abortController;
    try {
      const result = await this.#callAfterConsent(credential, call);
      signal.throwIfAborted();
      return result;
    } catch (error) {
      if (!isSessionExpired(error)) throw error;
      this.forgetIfDeleted(credential, error);
      return null;
    }
  }

  /** Removes the stored conversation if the API's error reports that the conversation was deleted. */
  forgetIfDeleted({ sessionId }: Credential, error: unknown): void {
    if (!isConversationDeleted(error) || this.credential?.sessionId !== sessionId) return;
    this.#deps.store.update({ credential: undefined, history: [], meetings: [] });
    this.#deps.onRemoved();
  }

  /** Starts a new session in place of the visitor's expired session. */
  renew(expired: Credential): Promise<Credential> {
    return this.#startOnce(expired);
  }

  #startOnce(expired?: Credential): Promise<Credential> {
    if (this.#starting) return this.#starting;
    const { signal } = this.#abortController;
    const starting = this.#deps.store
      .runExclusively(() => this.#findOrCreate(signal, expired))
      .finally(() => {
        if (this.#starting === starting) this.#starting = undefined;
      });
    this.#starting = starting;
    return starting;
  }

  /**
   * Returns a session that another tab has started in the meantime, or starts a new session. All tabs share
   * the session.
   */
  async #findOrCreate(signal: AbortSignal, expired: Credential | undefined): Promise<Credential> {
    signal.throwIfAborted();
    const credential = this.#findUnless(expired) ?? (await this.#createSession(signal, expired));
    this.#deps.onStarted(credential);
    return credential;
  }

  /** Returns the session in the browser's storage, unless it is the expired session. */
  #findUnless(expired: Credential | undefined): Credential | undefined {
    const { credential } = this;
    return credential?.sessionId === expired?.sessionId ? undefined : credential;
  }

  /**
   * Makes an API call in the visitor's session. If the visitor's consent was not sent yet, sends it first.
   */
  async #callAfterConsent<T>(
    credential: Credential,
    call: (credential: Credential) => Promise<T>,
  ): Promise<T> {
    const { untoldConsent: consent } = this.#deps.store.read();
    if (consent !== undefined) {
      const key = credential.sessionId + consent;
      if (this.#consentCall?.key !== key)
        this.#consentCall = { key, sent: this.#sendConsent(credential, consent) };
      await this.#consentCall.sent;
    }
    return call(credential);
  }

  async #sendConsent(credential: Credential, consent: ConsentChoice): Promise<void> {
    const { api, store } = this.#deps;
    try {
      await api.postToSession(credential, 'consent', { consent });
      if (store.read().untoldConsent === consent) store.update({ untoldConsent: undefined });
    } finally {
      this.#consentCall = undefined;
    }
  }

  async #createSession(signal: AbortSignal, expired: Credential | undefined): Promise<Credential> {
    const { store, api } = this.#deps;
    const token = await readToken(this.#identity, api.base);
    const { visitorSecret } = store.read();
    const session = await this.#requestSession({ token, visitorSecret }, signal).catch((error: unknown) => {
      const refusal = findDetail('identity_token', error);
      if (refusal) warnOfIdentity(`Parley refused the token: it ${refusal.message}.`, api.base);
      // Start the session without a proof that the API has rejected, so that the visitor can still chat.
      const proof = {
        ...(!refusal && { token }),
        ...(!findDetail('visitor_secret', error) && { visitorSecret }),
      };
      if ('token' in proof && 'visitorSecret' in proof) throw error;
      return this.#requestSession(proof, signal);
    });
    // Use the session that another tab has started in the meantime. This happens only if the page has no Web
    // Locks.
    const other = this.#findUnless(expired);
    if (other) return other;
    const credential = { sessionId: session.session_id, token: session.visitor_token };
    const { isRefused, untoldConsent = isRefused ? 'denied' : undefined } = store.read();
    store.update({
      credential,
      visitorId: session.visitor_id,
      visitorSecret: session.visitor_secret,
      untoldConsent,
    });
    return credential;
  }

  /**
   * Requests a session from the API. Repeats the request with the same idempotency key, even from the next
   * page, so that only one session is created.
   */
  #requestSession(proof: VisitorProof, signal: AbortSignal) {
    const { api, store, setConnected } = this.#deps;
    // Do not store a request that contains the visitor's token.
    const isStorable = proof.token === undefined;
    const stored = isStorable ? store.read().beginning : undefined;
    const { key, body } = stored ?? { key: generateBrowserId(), body: this.#buildBody(proof) };
    if (isStorable) store.update({ beginning: { key, body } });
    return callUntilAnswered(() => api.startSession(body, key), { signal, setConnected }).finally(() =>
      store.update({ beginning: undefined }),
    );
  }

  #buildBody({ token, visitorSecret }: VisitorProof): object {
    const { store, visitorId = store.read().visitorId } = this.#deps;
    const pageUrl = new URL(location.href);
    pageUrl.hash = '';
    return {
      ...(visitorId !== undefined && { visitor_id: visitorId }),
      ...(visitorSecret !== undefined && { visitor_secret: visitorSecret }),
      page_url: pageUrl.href.slice(0, 2000),
      ...(document.referrer && { referrer: document.referrer.slice(0, 2000) }),
      ...(token !== undefined && { identity_token: token }),
    };
  }
}

function findDetail(name: string, error: unknown) {
  return error instanceof ApiError ? error.details.find(({ field }) => field === name) : undefined;
}

function warnOfIdentity(cause: string, base: string): void {
  warn(`the visitor stays anonymous. ${cause} See ${base}/docs/pages/identity-token`);
}

/**
 * Returns the part of the stored state that remains when the page identifies a previously anonymous visitor.
 */
function pickVisitorState({
  visitorId,
  visitorSecret,
  isLeadSettled,
  isRefused,
  untoldConsent,
}: StoredState): StoredState {
  return { visitorId, visitorSecret, isLeadSettled, isRefused, untoldConsent };
}

/**
 * Returns the visitor's identity token from the page; undefined for an anonymous visitor. Warns the page's
 * developer if the page has failed to provide a token.
 */
async function readToken(source: IdentitySource, base: string): Promise<string | undefined> {
  try {
    const token: unknown = typeof source === 'function' ? await Promise.race([source(), failLate()]) : source;
    if (typeof token === 'string') return token === '' ? undefined : token;
    if (token !== undefined && token !== null)
      warnOfIdentity(`identityToken has the type ${typeof token} instead of string.`, base);
  } catch (error) {
    warnOfIdentity(`identityToken failed: ${String(error)}.`, base);
  }
  return undefined;
}

async function failLate(): Promise<never> {
  await wait(IDENTITY_TIMEOUT_MS);
  throw new Error(`it returned nothing within ${IDENTITY_TIMEOUT_MS / 1000} s`);
}

/** Returns the subject of a visitor's identity token. Does not verify the token, which only the API can. */
function readSubject(token: string): string {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return String((JSON.parse(atob(payload)) as { sub?: unknown }).sub);
  } catch {
    return 'unknown';
  }
}
