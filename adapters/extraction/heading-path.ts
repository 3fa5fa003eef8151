import type { Section } from './extracted-document.ts';

/** The headings above a place in a document. */
export class HeadingPath {
  readonly #steps: { level: number; heading: string }[] = [];

  /** Of the innermost heading, from 1; 0 above all headings. */
  get level(): number {
    return this.#steps.at(-1)?.level ?? 0;
  }

  /** Leaves those of the same level and below, and goes under this one. */
  enter(level: number, heading: string): void {
    while (this.level >= level) this.#steps.pop();
    this.#steps.push({ level, heading });
  }

  /** Adds to the innermost heading. */
  extend(text: string): void {
    const step = this.#steps.at(-1);
    if (step) step.heading += ` ${text}`;
  }

  /**
   * What stands under these headings; null for nothing. A heading with neither text nor subsections is all there is to say, so it
   * becomes the text.
   * @param nextLevel of the heading that follows, 0 at the end
   */
  section(text: string, nextLevel: number): Pick<Section, 'headings' | 'text'> | null {
    const headings = this.#steps.map(({ heading }) => heading);
    const said = text || (nextLevel <= this.level ? headings.at(-1) : undefined);
    return said ? { headings, text: said } : null;
  }
}
