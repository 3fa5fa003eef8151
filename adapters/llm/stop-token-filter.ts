/**
 * Pattern of tokens with which models end an answer. Servers with a wrong chat template send them as text.
 */
const TOKEN = '(?:<\\|[a-z_]{1,24}\\|>|</s>|<end_of_turn>)\\s{0,8}';
const TOKENS = new RegExp(`^(?:${TOKEN})+$`, 'i');
/** Matches tokens at the end of an answer's text; the last token may be incomplete. */
const UNFINISHED = new RegExp(
  `^(?:${TOKEN})*(?:<\\|?|<\\|[a-z_]{1,24}\\|?|</s?|<(?:e(?:n(?:d(?:_(?:o(?:f(?:_(?:t(?:u(?:r(?:n)?)?)?)?)?)?)?)?)?)?))?$`,
  'i',
);
/** Maximum number of characters of the tokens at an answer's end. */
const MAX_CHARS = 120;

/**
 * Removes the tokens with which models end an answer, such as `<|im_end|>`. Keeps such tokens in other
 * places, for example in code.
 */
export class StopTokenFilter {
  #pending = '';

  /**
   * Adds a chunk of the answer. Returns the text that can be shown, without text at its end that may be a
   * token.
   */
  push(text: string): string {
    const unsent = this.#pending + text;
    const tail = Math.max(0, unsent.length - MAX_CHARS);
    let start = unsent.indexOf('<', tail);
    while (start >= 0 && !UNFINISHED.test(unsent.slice(start))) start = unsent.indexOf('<', start + 1);
    this.#pending = start < 0 ? '' : unsent.slice(start);
    return start < 0 ? unsent : unsent.slice(0, start);
  }

  /** Ends the answer. Returns text that `push` withheld but that is not a token. */
  end(): string {
    const rest = this.#pending;
    this.#pending = '';
    return TOKENS.test(rest) ? '' : rest;
  }
}
