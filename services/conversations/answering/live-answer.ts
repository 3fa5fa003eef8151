import { crc32 } from 'node:zlib';
import type { Citation } from '../../../core/conversations/citation.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';

/** Position up to which a client has read an answer's stream. */
export interface ReadingPosition {
  position: number;
  /**
   * Checksum of the text before `position`. With it, Parley checks whether an answer that was generated again
   * still begins with this text.
   */
  mark: string;
}

/**
 * Events of an answer's stream, in their normal order. A second `message.started` discards everything before
 * it. `position` only increases, so that a client can resume after its connection breaks.
 */
export type AnswerEvent = ReadingPosition &
  (
    | { type: 'message.started'; messageId: string; replyToId: string }
    | { type: 'delta'; text: string }
    | { type: 'citations'; citations: Citation[] }
    | { type: 'handoff' }
    | { type: 'error'; code: string; message: string }
    | { type: 'done'; message: Opened<Message> }
  );

/**
 * An answer that is being generated. Any number of clients can stream it, from the start or from a position.
 */
export class LiveAnswer {
  readonly messageId: string;
  /**
   * Id of the visitor's message that the answer replies to. Null if a flow has continued without a message;
   * such an answer has no readers.
   */
  readonly replyToId: string | null;
  #text = '';
  #message: Opened<Message> | undefined;
  #isSilenced = false;
  #failure: unknown;
  /** Number of times that the answer's text has changed in a part that readers may have received. */
  #edition = 0;
  #readers: (() => void)[] = [];
  #isWaking = false;

  constructor(messageId: string, replyToId: string | null) {
    this.messageId = messageId;
    this.replyToId = replyToId;
  }

  get text(): string {
    return this.#text;
  }

  /**
   * Adds text to the answer. Readers are notified in the event loop's next tick, so that text added at the
   * same time becomes one event.
   */
  append(text: string): void {
    this.#text += text;
    if (this.#isWaking) return;
    this.#isWaking = true;
    process.nextTick(() => {
      this.#isWaking = false;
      this.#wake();
    });
  }

  finish(message: Opened<Message>): void {
    // Another process may have stored a different text first: readers then discard their text and restart.
    if (!message.content.startsWith(this.#text)) this.#edition += 1;
    this.#text = message.content;
    this.#message = message;
    this.#wake();
  }

  /**
   * Ends the answer's stream without an answer, because an agent has taken over.
   * @param turn the visitor's message
   */
  endWithoutAnswer(turn: Opened<Message>): void {
    this.#message = turn;
    this.#isSilenced = true;
    this.#wake();
  }

  /** Ends the answer's stream for every reader with the error. */
  fail(cause: unknown): void {
    this.#failure = cause;
    this.#wake();
  }

  /**
   * Resolves to the stored answer. If the stream ended without an answer, resolves to the visitor's message.
   */
  async waitForMessage(): Promise<Opened<Message>> {
    for await (const event of this.events()) if (event.type === 'done') return event.message;
    throw new Error('An answer ended without a message.');
  }

  /**
   * Yields the events of the answer's stream.
   * @param after position from which to resume; the stream restarts if the text before it has changed
   */
  async *events(after?: ReadingPosition): AsyncGenerator<AnswerEvent> {
    const isResumed = after !== undefined && (await this.#matches(after));
    let edition = isResumed ? this.#edition : undefined;
    let sentPosition = isResumed ? after.position : 0;
    let sentLength = Math.min(sentPosition, this.#text.length);
    let sum = computeChecksum(this.#text.slice(0, sentLength));
    for (;;) {
      if (edition !== this.#edition) {
        edition = this.#edition;
        sentPosition = sentLength = sum = 0;
        yield {
          type: 'message.started',
          ...toReadingPosition(0, 0),
          messageId: this.messageId,
          replyToId: this.replyToId ?? this.messageId,
        };
      } else if (this.#text.length > sentLength && !this.#isSilenced) {
        const text = this.#text.slice(sentLength);
        sentLength = this.#text.length;
        sum = computeChecksum(text, sum);
        yield { type: 'delta', ...toReadingPosition(sentLength, sum), text };
      } else if (this.#message) {
        yield* this.#closingEvents(this.#message, sentPosition);
        return;
      } else if (this.#failure !== undefined) {
        throw this.#failure;
      } else {
        await this.#waitForChange();
      }
    }
  }

  /**
   * Waits until the answer is as long as the reader's position. Returns true if the text before the position
   * is unchanged.
   */
  async #matches({ position, mark }: ReadingPosition): Promise<boolean> {
    while (this.#text.length < position && !this.#message && this.#failure === undefined)
      await this.#waitForChange();
    return mark === toReadingPosition(0, computeChecksum(this.#text.slice(0, position))).mark;
  }

  *#closingEvents(message: Opened<Message>, seen: number): Generator<AnswerEvent> {
    const endPosition = toReadingPosition(this.#text.length + 1, computeChecksum(this.#text));
    if (endPosition.position > seen) {
      if (this.#isSilenced) yield { type: 'handoff', ...endPosition };
      else if (message.isError)
        yield {
          type: 'error',
          ...endPosition,
          code: message.errorCode ?? 'internal_error',
          message: message.content,
        };
      else yield { type: 'citations', ...endPosition, citations: message.citations ?? [] };
    }
    yield { type: 'done', ...endPosition, position: endPosition.position + 1, message };
  }

  #waitForChange(): Promise<void> {
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  #wake(): void {
    const readers = this.#readers;
    this.#readers = [];
    for (const wake of readers) wake();
  }
}

/**
 * Computes the CRC-32 checksum of a text's UTF-16 code units. The text may therefore be cut anywhere, even
 * within a surrogate pair.
 * @param before checksum of the preceding text
 */
function computeChecksum(text: string, before = 0): number {
  return crc32(Buffer.from(text, 'utf16le'), before);
}

function toReadingPosition(position: number, sum: number): ReadingPosition {
  return { position, mark: sum.toString(36) };
}
