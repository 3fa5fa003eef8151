import { writePositioned, type TextPosition } from '../raised-text.ts';

/** Positions of text relative to its line (raised or lowered), by their names in Office files. */
export const textPositions: ReadonlyMap<string, TextPosition> = new Map([
  ['superscript', 'raised'],
  ['subscript', 'lowered'],
]);

/** Reads the text of a table cell from runs with formats of their own. Omits phonetic hints. */
export class RichText {
  text = '';
  /** True if a part of the cell's text has a format of its own. */
  hasFormats = false;
  #run: string | null = null;
  #position: TextPosition | null = null;
  #phonetic = 0;

  open(name: string, value: string | undefined): void {
    if (name === 'rPh') this.#phonetic++;
    else if (name === 'r') this.#position = null;
    else if (name === 'rPr') this.hasFormats = true;
    else if (name === 'vertAlign') this.#position = textPositions.get(value ?? '') ?? null;
    else if (name === 't' && this.#phonetic === 0) this.#run = '';
  }

  addText(text: string): void {
    if (this.#run !== null) this.#run += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#phonetic--;
    if (name !== 't' || this.#run === null) return;
    this.text += this.#position ? writePositioned(this.text, this.#run, this.#position) : this.#run;
    this.#run = null;
  }
}
