import type { VisitorApi, WidgetEvent } from './api-client.ts';
import { streamLiveEvents } from './connection.ts';
import type { Session } from './session.ts';
import type { Credential } from './stored-state.ts';

/**
 * Milliseconds between polls for messages after the server has closed the page's stream. The server does so
 * if the visitor opens too many pages.
 */
const POLL_MS = 10_000;

export interface LiveFeedDeps {
  api: VisitorApi;
  session: Session;
  newestId(): string | undefined;
  handleEvent(event: WidgetEvent): void;
  setConnected(isConnected: boolean): void;
  onExpired(): void;
  /** Called at each poll, to read messages that the stream would have delivered. */
  poll(): void;
}

/** Streams agents' messages and changes of the conversation, as long as the page needs them. */
export class LiveFeed {
  readonly #deps: LiveFeedDeps;
  #stream: { sessionId: string; stop: AbortController; isClosed: boolean } | undefined;

  constructor(deps: LiveFeedDeps) {
    this.#deps = deps;
  }

  /**
   * Opens or closes the stream of the conversation's events. Reopens it if the session has changed.
   * @param isAttended whether the visitor is using this page now. Only such a page reopens a stream that the
   *   server has closed.
   */
  setNeeded(isNeeded: boolean, isAttended: boolean): void {
    const { credential } = this.#deps.session;
    const isReturning = isAttended && this.#stream?.isClosed === true;
    if (isNeeded && !isReturning && this.#stream?.sessionId === credential?.sessionId) return;
    this.#stream?.stop.abort();
    this.#stream = undefined;
    if (!isNeeded || !credential) return;
    const stop = new AbortController();
    const stream = { sessionId: credential.sessionId, stop, isClosed: false };
    this.#stream = stream;
    void this.#readStream(credential, stop.signal, () => {
      stream.isClosed = true;
      const timer = setInterval(() => !document.hidden && this.#deps.poll(), POLL_MS);
      stop.signal.addEventListener('abort', () => clearInterval(timer));
    });
  }

  async #readStream(credential: Credential, signal: AbortSignal, onClosed: () => void): Promise<void> {
    const { api, session, newestId, handleEvent, setConnected, onExpired } = this.#deps;
    try {
      for await (const event of streamLiveEvents(api, credential, newestId, { signal, setConnected })) {
        if (event.event === 'closed') onClosed();
        handleEvent(event);
      }
    } catch (error) {
      session.forgetIfDeleted(credential, error);
      onExpired();
    }
  }
}
