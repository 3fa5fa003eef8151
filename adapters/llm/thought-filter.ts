const TAGS = ['<think>', '</think>', '<thinking>', '</thinking>'];
const TAG = /<(\/?)think(?:ing)?>/i;

/** Removes a model's thoughts, which are between `<think>` and `</think>`, from a stream of text chunks. */
export class ThoughtFilter {
  #pending = '';
  #isThinking = false;
  #hasThought = false;
  #hasShown = false;

  /** Adds a chunk of the answer. Returns the text that can be shown, without an incomplete tag at its end. */
  push(text: string): string {
    this.#pending += text;
    let visible = '';
    let isBlank = !this.#hasShown;
    for (let tag = TAG.exec(this.#pending); tag; tag = TAG.exec(this.#pending)) {
      const isClosing = tag[1] === '/';
      // Text before a closing tag also counts as a thought if the opening tag is missing, since some models
      // omit it.
      const isThought = this.#isThinking || (isClosing && isBlank);
      if (!isThought) {
        const piece = this.#pending.slice(0, tag.index);
        visible += piece;
        isBlank &&= piece.trim() === '';
      }
      this.#pending = this.#pending.slice(tag.index + tag[0].length);
      this.#isThinking = !isClosing;
      this.#hasThought = true;
    }
    const tagPrefix = findTagPrefix(this.#pending);
    if (!this.#isThinking) visible += this.#pending.slice(0, this.#pending.length - tagPrefix.length);
    this.#pending = tagPrefix;
    return this.#trimFirst(visible);
  }

  /** Ends the stream. Returns text that `push` withheld but that is not a tag. */
  end(): string {
    const rest = this.#isThinking ? '' : this.#pending;
    this.#pending = '';
    return this.#trimFirst(rest);
  }

  /** Removes blank lines between the model's thoughts and its answer. */
  #trimFirst(text: string): string {
    const withoutBlankLines = this.#hasThought && !this.#hasShown ? text.trimStart() : text;
    this.#hasShown ||= withoutBlankLines.trim() !== '';
    return withoutBlankLines;
  }
}

/** Returns the end of a text that may be the beginning of the tag `<think>` or `</think>`. */
function findTagPrefix(text: string): string {
  const start = text.slice(Math.max(0, text.lastIndexOf('<'))).toLowerCase();
  return start.startsWith('<') && TAGS.some((tag) => tag.startsWith(start)) ? text.slice(-start.length) : '';
}
