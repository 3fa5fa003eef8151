import { append, h } from './dom.ts';
import { parseBlocks } from './markdown-blocks.ts';
import { renderBlocks, type DrawCitation } from './render-markdown.ts';

/**
 * Shows a Markdown text while it streams in. Renders only the last block again, so that the DOM nodes of
 * earlier blocks stay.
 */
export class MarkdownView {
  readonly element = h('div', { class: 'markdown', dir: 'auto' });
  readonly #citation: DrawCitation;
  #settled = '';
  #tail: Node[] = [];

  constructor(citation: DrawCitation = () => null) {
    this.#citation = citation;
  }

  /** Renders the part of the Markdown text that was received so far. */
  grow(text: string): void {
    if (!text.startsWith(this.#settled)) this.#reset();
    const rest = text.slice(this.#settled.length);
    const { lastBlockAt } = parseBlocks(rest, true);
    if (lastBlockAt > 0) {
      const whole = rest.slice(0, lastBlockAt);
      this.#replaceTail(whole, false);
      this.#tail = [];
      this.#settled += whole;
    }
    this.#replaceTail(rest.slice(lastBlockAt), true);
  }

  /** Renders the complete Markdown text. */
  finish(text: string): void {
    this.#reset();
    this.#replaceTail(text, false);
  }

  #reset(): void {
    this.element.replaceChildren();
    this.#settled = '';
    this.#tail = [];
  }

  #replaceTail(text: string, isPartial: boolean): void {
    for (const node of this.#tail) node.parentNode?.removeChild(node);
    this.#tail = renderBlocks(parseBlocks(text, isPartial).blocks, this.#citation);
    append(this.element, this.#tail);
  }
}
