const TAGS = ['<think>', '</think>', '<thinking>', '</thinking>'];
const TAG = /<(\/?)think(?:ing)?>/i;

/** Leaves out what a model thinks aloud between `<think>` and `</think>`, however the text is cut into pieces. */
export class ThoughtFilter {
  #held = '';
  #isThinking = false;
  #hasThought = false;
  #hasShown = false;

  /** What may be shown by now; the beginning of a tag is held back. */
  push(text: string): string {
    this.#held += text;
    let shown = '';
    let isBlank = !this.#hasShown;
    for (let tag = TAG.exec(this.#held); tag; tag = TAG.exec(this.#held)) {
      const isClosing = tag[1] === '/';
      // Some models leave the opening tag out: what comes before the closing one were thoughts, too.
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
    return this.#show(shown);
  }

  /** What was held back and is no tag. */
  end(): string {
    const rest = this.#isThinking ? '' : this.#held;
    this.#held = '';
    return this.#show(rest);
  }

  /** Without the blank lines between the thoughts and the answer. */
  #show(text: string): string {
    const shown = this.#hasThought && !this.#hasShown ? text.trimStart() : text;
    this.#hasShown ||= shown.trim() !== '';
    return shown;
  }
}

/** The end of a text that may become a tag. */
function tagStart(text: string): string {
  const start = text.slice(Math.max(0, text.lastIndexOf('<'))).toLowerCase();
  return start.startsWith('<') && TAGS.some((tag) => tag.startsWith(start)) ? text.slice(-start.length) : '';
}
