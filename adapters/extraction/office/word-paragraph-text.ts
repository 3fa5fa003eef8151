import type { XmlElement } from '../xml-tree.ts';

/** Text of a Word paragraph while it is read. */
export class WordParagraphText {
  text = '';
  /** Contents of text boxes, which follow the paragraph. */
  readonly boxes: XmlElement[] = [];
  /** Charts and diagrams, which follow the paragraph. */
  readonly blocks: string[] = [];
  /** Length of the text at the end of the last struck-through run. */
  #struckEnd = -1;
  /** Length of the text at the end of the last equation. */
  #equationEnd = -1;

  /**
   * Adds text.
   * @param isStruck true if the text is struck through, such as an old price
   */
  add(text: string, isStruck = false): void {
    if (!text) return;
    if (!isStruck || !text.trim()) {
      this.text += text;
      return;
    }
    const isContinued = this.#struckEnd === this.text.length;
    this.text = isContinued ? `${this.text.slice(0, -2)}${text}~~` : `${this.text}~~${text}~~`;
    this.#struckEnd = this.text.length;
  }

  /** Adds an equation. Separates it from an equation directly before it. */
  addEquation(text: string): void {
    if (text && this.#equationEnd === this.text.length) this.text += ' ';
    this.text += text;
    this.#equationEnd = this.text.length;
  }

  /** Makes the text from a position a link, if its target is a public address. */
  link(start: number, target: string): void {
    const text = this.text.slice(start);
    const said = text.trim();
    if (!said || said === target || !/^(?:https?|mailto|tel):/i.test(target)) return;
    const indent = text.length - text.trimStart().length;
    const link = `[${said}](${target})`;
    this.text = this.text.slice(0, start + indent) + link + text.slice(indent + said.length);
  }
}
