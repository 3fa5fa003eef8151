import type { Texts } from '../texts.ts';
import { ApiError, type ApiClient, type WidgetEvent } from './api-client.ts';
import { turnEvents } from './connection.ts';
import { failureText } from './failure-text.ts';
import { generateBrowserId } from '../../browser/new-id.ts';
import type { Session } from './session.ts';
import type { Store } from './store.ts';
import type { Credential, Pending } from './stored.ts';
import type { ShownMessage, Transcript } from './transcript.ts';

export interface DeliveriesDeps {
  api: ApiClient;
  store: Store;
  session: Session;
  transcript: Transcript;
  texts: Texts;
  /** Called for each event of an answer. */
  heard(event: WidgetEvent, question: ShownMessage): void;
  /** Called when a turn is complete. */
  delivered(): Promise<void>;
  connected(isConnected: boolean): void;
  changed(): void;
}

/** Sends the visitor's messages one after the other. Each is stored until it is answered. */
export class Deliveries {
  readonly #deps: DeliveriesDeps;
  readonly #own = new Set<string>();
  readonly #turns = new WeakMap<ShownMessage, Pending>();
  #queue: Promise<void> = Promise.resolve();
  #leaving = new AbortController();

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps;
  }

  isOwn({ clientId }: Pending): boolean {
    return this.#own.has(clientId);
  }

  /** @param optionId option of the last message that the visitor picked */
  send(content: string, optionId?: string): void {
    const turn = { clientId: generateBrowserId(), content, optionId, at: Date.now() };
    this.#enqueue(turn, this.#deps.transcript.write(turn.clientId, content));
  }

  /** Resends a failed message with its client id, so that it is not stored twice. */
  retry(message: ShownMessage): void {
    message.state = 'sending';
    message.failure = null;
    const turn = this.#turns.get(message);
    if (turn) this.#enqueue({ ...turn, at: Date.now() }, message);
  }

  /** Resends a message that was being sent when the page was left. If it is stored already, it keeps its position. */
  takeUp(turn: Pending): void {
    const { transcript } = this.#deps;
    const last = transcript.messages.at(-1);
    const isStored = last?.role === 'user' && last.content === turn.content;
    this.#enqueue(turn, isStored ? last : transcript.write(turn.clientId, turn.content));
  }

  /** Abandons all messages that are being sent. */
  reset(): void {
    this.#leaving.abort();
    this.#leaving = new AbortController();
    this.#queue = Promise.resolve();
  }

  #enqueue(turn: Pending, message: ShownMessage): void {
    const { signal } = this.#leaving;
    const { store, changed } = this.#deps;
    this.#own.add(turn.clientId);
    this.#turns.set(message, turn);
    store.update({ pending: [...this.#others(turn), turn] });
    changed();
    this.#queue = this.#queue.then(() => this.#deliver(turn, message, signal));
  }

  async #deliver(turn: Pending, message: ShownMessage, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      await this.#exchange(turn, message, signal);
      this.#settle(turn);
      await this.#deps.delivered();
    } catch (error) {
      if (!signal.aborted) this.#fail(turn, message, error);
    }
    this.#deps.changed();
  }

  async #exchange(turn: Pending, message: ShownMessage, signal: AbortSignal): Promise<void> {
    const { api, session, heard, connected } = this.#deps;
    await session.useOpen(async (credential: Credential) => {
      for await (const event of turnEvents(api, credential, turn, { signal, connected }))
        heard(event, message);
    });
  }

  #others({ clientId }: Pending): Pending[] {
    return this.#deps.store.pending().filter((turn) => turn.clientId !== clientId);
  }

  #settle(turn: Pending): void {
    this.#deps.store.update({ pending: this.#others(turn) });
  }

  #fail(turn: Pending, message: ShownMessage, error: unknown): void {
    const { transcript, texts, connected } = this.#deps;
    connected(true);
    // Messages that the API never received are resent after the page has reloaded.
    if (error instanceof ApiError) this.#settle(turn);
    transcript.dropGrowing();
    message.state = 'failed';
    message.failure = message.id === null ? failureText(error, texts) : texts.answerLost;
  }
}
