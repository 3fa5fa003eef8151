const TAGS = ['<think>', '</think>', '<thinking>', '</thinking>'];
const TAG = /<(\/?)think(?:ing)?>/i;

/** Removes a model's thoughts, which are between `<think>` and `</think>`, from a stream of text chunks. */
export class ThoughtFilter {
  #held = '';
  #isThinking = false;
  #hasThought = false;
  #hasShown = false;

  /** Adds a chunk. Returns the text that can be shown; keeps back an incomplete tag. */
  push(text: string): string {
    this.#held += text;
    let shown = '';
    let isBlank = !this.#hasShown;
    for (let tag = TAG.exec(this.#held); tag; tag = TAG.exec(this.#held)) {
      const isClosing = tag[1] === '/';
      // Text before a closing tag without an opening one is a thought, too, since some models omit the
      // opening tag.
      const isThought = this.#isThinking || (isClosing && isBlank);
      if (!isThought) {
        const piece = this.#held.slice(0, tag.index);
        shown += piece;
        isBlank &&= piece.trim() === '';
      }
      this.#held = this.#held.slice(tag.index + tag[0].length);
      this.#isThinking = !isClosing;
      this.#hasThought = true;
    }
    const kept = tagStart(this.#held);
    if (!this.#isThinking) shown += this.#held.slice(0, this.#held.length - kept.length);
    this.#held = kept;
    return this.#trimFirst(shown);
  }

  /** Ends the stream. Returns text that was kept back but is not a tag. */
  end(): string {
    const rest = this.#isThinking ? '' : this.#held;
    this.#held = '';
    return this.#trimFirst(rest);
  }

  /** Removes blank lines between the thoughts and the answer. */
  #trimFirst(text: string): string {
    const shown = this.#hasThought && !this.#hasShown ? text.trimStart() : text;
    this.#hasShown ||= shown.trim() !== '';
    return shown;
  }
}

/** Returns the end of a text that may be the beginning of a tag. */
function tagStart(text: string): string {
  const start = text.slice(Math.max(0, text.lastIndexOf('<'))).toLowerCase();
  return start.startsWith('<') && TAGS.some((tag) => tag.startsWith(start)) ? text.slice(-start.length) : '';
}
