import type { Texts } from '../texts.ts';
import { ApiError, type VisitorApi, type WidgetEvent } from './api-client.ts';
import { streamTurn } from './connection.ts';
import { describeFailure } from './failure-text.ts';
import { generateBrowserId } from '../../browser/new-id.ts';
import type { Session } from './session.ts';
import type { Store } from './store.ts';
import type { Credential, PendingMessage } from './stored-state.ts';
import type { ShownMessage, Transcript } from './transcript.ts';

export interface OutgoingMessagesDeps {
  api: VisitorApi;
  store: Store;
  session: Session;
  transcript: Transcript;
  texts: Texts;
  /** Called for each event of the answer to `question`. */
  handleEvent(event: WidgetEvent, question: ShownMessage): void;
  /** Called when the API has answered a message completely. */
  onDelivered(): Promise<void>;
  setConnected(isConnected: boolean): void;
  onChange(): void;
}

/** Sends the visitor's messages one at a time. A message is stored in the browser until it is answered. */
export class OutgoingMessages {
  readonly #deps: OutgoingMessagesDeps;
  /** Client ids of the messages that were sent in this tab. */
  readonly #clientIdsOfThisTab = new Set<string>();
  /** The stored form of each displayed message that is sent or was not delivered. */
  readonly #pendingByMessage = new WeakMap<ShownMessage, PendingMessage>();
  #queue: Promise<void> = Promise.resolve();
  #abortController = new AbortController();

  constructor(deps: OutgoingMessagesDeps) {
    this.#deps = deps;
  }

  /** Returns whether the visitor sent the message in this tab. Other tabs share the store. */
  isFromThisTab({ clientId }: PendingMessage): boolean {
    return this.#clientIdsOfThisTab.has(clientId);
  }

  /**
   * Sends a message.
   * @param optionId id of the option that the visitor has picked, if the last message offers options
   * @param clientId id under which files were uploaded for the message
   */
  send(content: string, optionId?: string, clientId = generateBrowserId()): void {
    const pending = { clientId, content, optionId, at: Date.now() };
    this.#enqueue(pending, this.#deps.transcript.addOwn(clientId, content));
  }

  /**
   * Sends a message again that could not be sent. It has the same client id, so the API does not store it
   * twice.
   */
  retry(message: ShownMessage): void {
    message.state = 'sending';
    message.failure = null;
    const pending = this.#pendingByMessage.get(message);
    if (pending) this.#enqueue({ ...pending, at: Date.now() }, message);
  }

  /**
   * Resumes sending a message that was unfinished when the visitor left the page. If the API has already
   * stored the message, it keeps its position.
   */
  resume(pending: PendingMessage): void {
    const { transcript } = this.#deps;
    const last = transcript.messages.at(-1);
    const isStored = last?.role === 'user' && last.content === pending.content;
    this.#enqueue(pending, isStored ? last : transcript.addOwn(pending.clientId, pending.content));
  }

  /** Stops sending the visitor's messages, and discards those that are not sent yet. */
  reset(): void {
    this.#abortController.abort();
    this.#abortController = new AbortController();
    this.#queue = Promise.resolve();
  }

  #enqueue(pending: PendingMessage, message: ShownMessage): void {
    const { signal } = this.#abortController;
    const { store, onChange } = this.#deps;
    this.#clientIdsOfThisTab.add(pending.clientId);
    this.#pendingByMessage.set(message, pending);
    store.update({ pending: [...this.#listOtherPending(pending), pending] });
    onChange();
    this.#queue = this.#queue.then(() => this.#deliver(pending, message, signal));
  }

  async #deliver(pending: PendingMessage, message: ShownMessage, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      await this.#streamAnswer(pending, message, signal);
      this.#removePending(pending);
      await this.#deps.onDelivered();
    } catch (error) {
      if (!signal.aborted) this.#markFailed(pending, message, error);
    }
    this.#deps.onChange();
  }

  async #streamAnswer(pending: PendingMessage, message: ShownMessage, signal: AbortSignal): Promise<void> {
    const { api, session, handleEvent, setConnected } = this.#deps;
    await session.useActive(async (credential: Credential) => {
      for await (const event of streamTurn(api, credential, pending, { signal, setConnected }))
        handleEvent(event, message);
    });
  }

  #listOtherPending({ clientId }: PendingMessage): PendingMessage[] {
    return this.#deps.store.pending().filter((pending) => pending.clientId !== clientId);
  }

  #removePending(pending: PendingMessage): void {
    this.#deps.store.update({ pending: this.#listOtherPending(pending) });
  }

  #markFailed(pending: PendingMessage, message: ShownMessage, error: unknown): void {
    const { transcript, texts, setConnected } = this.#deps;
    setConnected(true);
    // Remove the message from storage if the API has rejected it. Otherwise the next page sends it again.
    if (error instanceof ApiError) this.#removePending(pending);
    transcript.dropGrowing();
    message.state = 'failed';
    message.failure = message.id === null ? describeFailure(error, texts) : texts.answerLost;
  }
}
