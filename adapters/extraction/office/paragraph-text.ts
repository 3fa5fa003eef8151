import { isPublicLink } from '../public-link.ts';
import { BASE_CHARS, writePositioned, type TextPosition } from '../raised-text.ts';
import type { XmlElement } from '../xml-tree.ts';

/**
 * Maximum number of characters of a link's URL in a paragraph. Longer URLs are omitted, since they do not
 * help readers.
 */
const MAX_TARGET_LENGTH = 2000;
/** Number of pieces at the end of a paragraph's text that decide how a raised text after them is written. */
const TAIL_PIECES = 4;

/**
 * Text of a paragraph while it is read. The text consists of pieces, since joining a growing text at each
 * link would take quadratic time.
 */
export class ParagraphText {
  readonly #pieces: string[] = [];
  /** Contents of the paragraph's text boxes, which follow its text. */
  readonly boxes: XmlElement[] = [];
  /** Charts and diagrams of the paragraph, which follow its text. */
  readonly blocks: string[] = [];
  /** Number of the paragraph's pieces after its last struck-through run, and after its last equation. */
  #struckEnd = -1;
  #equationEnd = -1;

  get text(): string {
    return this.#pieces.join('');
  }

  /** Last characters of the paragraph's text. */
  get tail(): string {
    const ends = this.#pieces.slice(-TAIL_PIECES).map((piece) => piece.slice(-BASE_CHARS));
    return ends.join('').slice(-BASE_CHARS);
  }

  /** Number of the paragraph's pieces so far. Identifies the position from which text can become a link. */
  get position(): number {
    return this.#pieces.length;
  }

  /**
   * Adds text to the paragraph.
   * @param isStruck true if the text is struck through, such as an old price
   */
  add(text: string, isStruck = false): void {
    if (!text) return;
    const isMarked = isStruck && text.trim() !== '';
    if (isMarked && this.#struckEnd === this.position) this.#pieces.pop();
    else if (isMarked) this.#pieces.push('~~');
    this.#pieces.push(text);
    if (!isMarked) return;
    this.#pieces.push('~~');
    this.#struckEnd = this.position;
  }

  /** Adds an equation to the paragraph. Separates it from an equation directly before it. */
  addEquation(text: string): void {
    if (text && this.#equationEnd === this.position) this.#pieces.push(' ');
    if (text) this.#pieces.push(text);
    this.#equationEnd = this.position;
  }

  /** Writes the paragraph's text from a position as raised or lowered. */
  raiseOrLower(position: number, place: TextPosition): void {
    const text = this.#pieces.splice(position).join('');
    this.add(writePositioned(this.tail, text, place));
  }

  /** Makes the paragraph's text from a position a link, if its target is a public URL. */
  link(position: number, target: string): void {
    if (target.length > MAX_TARGET_LENGTH || !isPublicLink(target)) return;
    const text = this.#pieces.splice(position).join('');
    const label = text.trim();
    if (!label || label === target) {
      this.#pieces.push(text);
      return;
    }
    const indent = text.length - text.trimStart().length;
    this.#pieces.push(`${text.slice(0, indent)}[${label}](${target})${text.slice(indent + label.length)}`);
  }
}
