import type { MarkdownModule, TextView } from '../markdown/contract.ts';
import { loadPart } from '../session/load-part.ts';
import { h } from './dom.ts';

/** Loads the script that formats Markdown in messages. */
export const loadFormatting = (base: string): Promise<MarkdownModule> =>
  loadPart<MarkdownModule>(base, 'markdown');

/**
 * Shows a message's text with Markdown. Shows the text unformatted until the script for the formatting is
 * loaded.
 */
export class FormattedText {
  element: HTMLElement = h('div', { class: 'plain', dir: 'auto' });
  #view: TextView | undefined;
  #method: 'grow' | 'finish' = 'finish';

  /**
   * Shows a text.
   * @param method `grow` while the text is incomplete
   */
  show(text: string, method: 'grow' | 'finish'): void {
    this.#method = method;
    if (this.#view) this.#view[method](text);
    else this.element.textContent = text;
  }

  /** Formats the message's text. Does nothing if the script for the formatting cannot be loaded. */
  async format(base: string, renderCitation?: (index: number) => Node | null): Promise<void> {
    const module = await loadFormatting(base).catch(() => undefined);
    if (!module || this.#view) return;
    const { element: plain } = this;
    this.#view = module.createTextView(renderCitation);
    this.#view[this.#method](plain.textContent);
    this.element = this.#view.element;
    plain.replaceWith(this.element);
  }
}
