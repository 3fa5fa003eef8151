import type { Citation } from '../../core/citation.ts';
import type { Message } from '../../entities/message.entity.ts';

/** What a reader of an answer sees, in this order. `position` grows, so that a reader can go on where it stopped. */
export type AnswerEvent = { position: number } & (
  | { type: 'message.started'; messageId: string; replyToId: string }
  | { type: 'delta'; text: string }
  | { type: 'citations'; citations: Citation[] }
  | { type: 'handoff' }
  | { type: 'error'; code: string; message: string }
  | { type: 'done'; message: Message }
);

/** Position of a reader that has seen nothing. */
export const BEGINNING = -1;

/** An answer that anybody may read while it is made: from its start, or from where a lost connection ended. */
export class LiveAnswer {
  readonly messageId: string;
  readonly replyToId: string;
  #text = '';
  #message: Message | undefined;
  #isSilenced = false;
  #failure: unknown;
  #readers: (() => void)[] = [];

  constructor(messageId: string, replyToId: string) {
    this.messageId = messageId;
    this.replyToId = replyToId;
  }

  append(text: string): void {
    this.#text += text;
    this.#wake();
  }

  /** The answer as it was stored. */
  finish(message: Message): void {
    this.#text = message.content;
    this.#message = message;
    this.#wake();
  }

  /** A human has taken the conversation over before the answer was whole: the visitor's turn stays without one. */
  silence(turn: Message): void {
    this.#message = turn;
    this.#isSilenced = true;
    this.#wake();
  }

  /** The answer could not be stored; every reader fails with the cause. */
  fail(cause: unknown): void {
    this.#failure = cause;
    this.#wake();
  }

  /** The answer, or the visitor's turn when the answer was silenced. */
  async whole(): Promise<Message> {
    for await (const event of this.events()) if (event.type === 'done') return event.message;
    throw new Error('An answer ended without a message.');
  }

  /** @param after position of the last event that the reader has seen */
  async *events(after = BEGINNING): AsyncGenerator<AnswerEvent> {
    if (after < 0)
      yield { type: 'message.started', position: 0, messageId: this.messageId, replyToId: this.replyToId };
    let read = Math.max(0, after);
    for (;;) {
      if (this.#text.length > read && !this.#isSilenced) {
        const text = this.#text.slice(read);
        read = this.#text.length;
        yield { type: 'delta', position: read, text };
      } else if (this.#message) {
        yield* this.#closingEvents(this.#message, after);
        return;
      } else if (this.#failure !== undefined) {
        throw this.#failure;
      } else {
        await new Promise<void>((resolve) => this.#readers.push(resolve));
      }
    }
  }

  *#closingEvents(message: Message, after: number): Generator<AnswerEvent> {
    const position = this.#text.length + 1;
    if (position > after) {
      if (this.#isSilenced) yield { type: 'handoff', position };
      else if (message.isError)
        yield {
          type: 'error',
          position,
          code: message.errorCode ?? 'internal_error',
          message: message.content,
        };
      else yield { type: 'citations', position, citations: message.citations ?? [] };
    }
    yield { type: 'done', position: position + 1, message };
  }

  #wake(): void {
    const readers = this.#readers;
    this.#readers = [];
    for (const wake of readers) wake();
  }
}
