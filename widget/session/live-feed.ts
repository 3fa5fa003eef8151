import type { ApiClient, WidgetEvent } from './api-client.ts';
import { liveEvents } from './connection.ts';
import type { Session } from './session.ts';
import type { Credential } from './stored.ts';

/** Interval at which a page polls whose stream the server closed in favour of newer ones. */
const LOOK_MS = 10_000;

export interface LiveFeedDeps {
  api: ApiClient;
  session: Session;
  newestId(): string | undefined;
  heard(event: WidgetEvent): void;
  connected(isConnected: boolean): void;
  expired(): void;
  /** Reads messages that the stream would have delivered. */
  look(): void;
}

/** Streams the team's messages and the state of the conversation while they are needed. */
export class LiveFeed {
  readonly #deps: LiveFeedDeps;
  #open: { sessionId: string; stop: AbortController; isClosed: boolean } | undefined;

  constructor(deps: LiveFeedDeps) {
    this.#deps = deps;
  }

  /**
   * Opens or closes the stream, and follows a change of session.
   * @param isAttended whether the visitor is using this page; only then does it replace another page's stream
   */
  want(isWanted: boolean, isAttended: boolean): void {
    const { credential } = this.#deps.session;
    const isBack = isAttended && this.#open?.isClosed === true;
    if (isWanted && !isBack && this.#open?.sessionId === credential?.sessionId) return;
    this.#open?.stop.abort();
    this.#open = undefined;
    if (!isWanted || !credential) return;
    const stop = new AbortController();
    const open = { sessionId: credential.sessionId, stop, isClosed: false };
    this.#open = open;
    void this.#listen(credential, stop.signal, () => {
      open.isClosed = true;
      const looks = setInterval(() => document.visibilityState === 'visible' && this.#deps.look(), LOOK_MS);
      stop.signal.addEventListener('abort', () => clearInterval(looks));
    });
  }

  async #listen(credential: Credential, signal: AbortSignal, closed: () => void): Promise<void> {
    const { api, session, newestId, heard, connected, expired } = this.#deps;
    try {
      for await (const event of liveEvents(api, credential, newestId, { signal, connected })) {
        if (event.event === 'closed') closed();
        heard(event);
      }
    } catch (error) {
      session.forgetRemoved(credential, error);
      expired();
    }
  }
}
