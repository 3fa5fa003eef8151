/**
 * Matches the end of a text chunk that may be half a character: a high surrogate, or replacement characters.
 */
const UNFINISHED = /(?:\ufffd{1,4}|[\ud800-\udbff])$/;
/** Matches surrogates (halves of a character in UTF-16) that are not part of a pair. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * Joins characters that a stream of text chunks splits, such as emojis. Removes halves whose other half never
 * arrives, because the answer ended early.
 */
export class SurrogateJoiner {
  #pending = '';

  /** Adds a chunk of the answer. Returns the text that is complete, without half a character at its end. */
  push(chunk: string): string {
    const text = this.#pending + chunk;
    this.#pending = UNFINISHED.exec(text)?.[0] ?? '';
    return text.slice(0, text.length - this.#pending.length).replace(LONE_SURROGATES, '');
  }
}
