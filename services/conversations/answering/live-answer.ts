import { crc32 } from 'node:zlib';
import type { Citation } from '../../../core/conversations/citation.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';

/** How much of an answer a reader has seen. */
export interface ReadingPlace {
  position: number;
  /** Checksum of the text so far: an answer that is made again may have other words. */
  mark: string;
}

/**
 * What a reader of an answer sees, in this order; another `message.started` means that all before it is void. `position`
 * grows, so that a reader can go on where it stopped.
 */
export type AnswerEvent = ReadingPlace &
  (
    | { type: 'message.started'; messageId: string; replyToId: string }
    | { type: 'delta'; text: string }
    | { type: 'citations'; citations: Citation[] }
    | { type: 'handoff' }
    | { type: 'error'; code: string; message: string }
    | { type: 'done'; message: Opened<Message> }
  );

/** An answer that anybody may read while it is made: from its start, or from where a lost connection ended. */
export class LiveAnswer {
  readonly messageId: string;
  /** Null where nobody has asked, and nobody reads. */
  readonly replyToId: string | null;
  #text = '';
  #message: Opened<Message> | undefined;
  #isSilenced = false;
  #failure: unknown;
  /** Grows when the text is not what readers have seen of it. */
  #edition = 0;
  #readers: (() => void)[] = [];
  #isWaking = false;

  constructor(messageId: string, replyToId: string | null) {
    this.messageId = messageId;
    this.replyToId = replyToId;
  }

  /** What a model has sent in one piece reaches readers in one piece. */
  append(text: string): void {
    this.#text += text;
    if (this.#isWaking) return;
    this.#isWaking = true;
    process.nextTick(() => {
      this.#isWaking = false;
      this.#wake();
    });
  }

  /** The answer as it was stored. */
  finish(message: Opened<Message>): void {
    // Another process may have been faster, with other words.
    if (!message.content.startsWith(this.#text)) this.#edition += 1;
    this.#text = message.content;
    this.#message = message;
    this.#wake();
  }

  /** A human has taken the conversation over before the answer was whole: the visitor's turn stays without one. */
  silence(turn: Opened<Message>): void {
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
  async whole(): Promise<Opened<Message>> {
    for await (const event of this.events()) if (event.type === 'done') return event.message;
    throw new Error('An answer ended without a message.');
  }

  /** @param after where the reader has stopped; it begins anew when the answer has other words by now */
  async *events(after?: ReadingPlace): AsyncGenerator<AnswerEvent> {
    const isResumed = after !== undefined && (await this.#has(after));
    let edition = isResumed ? this.#edition : undefined;
    let seen = isResumed ? after.position : 0;
    let read = Math.min(seen, this.#text.length);
    let sum = checksum(this.#text.slice(0, read));
    for (;;) {
      if (edition !== this.#edition) {
        edition = this.#edition;
        seen = read = sum = 0;
        yield {
          type: 'message.started',
          ...placeAt(0, 0),
          messageId: this.messageId,
          replyToId: this.replyToId ?? this.messageId,
        };
      } else if (this.#text.length > read && !this.#isSilenced) {
        const text = this.#text.slice(read);
        read = this.#text.length;
        sum = checksum(text, sum);
        yield { type: 'delta', ...placeAt(read, sum), text };
      } else if (this.#message) {
        yield* this.#closingEvents(this.#message, seen);
        return;
      } else if (this.#failure !== undefined) {
        throw this.#failure;
      } else {
        await this.#change();
      }
    }
  }

  /** Whether a reader at this place has seen what the answer says, once there is as much of it. */
  async #has({ position, mark }: ReadingPlace): Promise<boolean> {
    while (this.#text.length < position && !this.#message && this.#failure === undefined)
      await this.#change();
    return mark === placeAt(0, checksum(this.#text.slice(0, position))).mark;
  }

  *#closingEvents(message: Opened<Message>, seen: number): Generator<AnswerEvent> {
    const place = placeAt(this.#text.length + 1, checksum(this.#text));
    if (place.position > seen) {
      if (this.#isSilenced) yield { type: 'handoff', ...place };
      else if (message.isError)
        yield {
          type: 'error',
          ...place,
          code: message.errorCode ?? 'internal_error',
          message: message.content,
        };
      else yield { type: 'citations', ...place, citations: message.citations ?? [] };
    }
    yield { type: 'done', ...place, position: place.position + 1, message };
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  #wake(): void {
    const readers = this.#readers;
    this.#readers = [];
    for (const wake of readers) wake();
  }
}

/** Of UTF-16 code units, so that it does not matter where a text is cut. @param before checksum of what precedes it */
function checksum(text: string, before = 0): number {
  return crc32(Buffer.from(text, 'utf16le'), before);
}

function placeAt(position: number, sum: number): ReadingPlace {
  return { position, mark: sum.toString(36) };
}
