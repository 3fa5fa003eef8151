import type { Section } from './extracted-document.ts';

/** The headings above the current position in a document. */
export class HeadingPath {
  readonly #steps: { level: number; heading: string }[] = [];

  /** Level of the innermost heading, from 1; 0 before the first heading. */
  get level(): number {
    return this.#steps.at(-1)?.level ?? 0;
  }

  /** Adds a heading to the path, and removes headings of the same or a deeper level. */
  enter(level: number, heading: string): void {
    while (this.level >= level) this.#steps.pop();
    this.#steps.push({ level, heading });
  }

  /** Appends text to the innermost heading of the path. */
  extendHeading(text: string): void {
    const step = this.#steps.at(-1);
    if (step) step.heading += ` ${text}`;
  }

  /**
   * Returns the section below the current headings, or null if it is empty. A heading without text and
   * subheadings becomes the section's text.
   * @param nextLevel level of the next heading; 0 at the end of the document
   */
  createSection(text: string, nextLevel: number): Pick<Section, 'headings' | 'text'> | null {
    const headings = this.#steps.map(({ heading }) => heading);
    const label = text || (nextLevel <= this.level ? headings.at(-1) : undefined);
    return label ? { headings, text: label } : null;
  }
}
