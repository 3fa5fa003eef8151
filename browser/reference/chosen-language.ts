/** Programming language of the samples, shared by all operations on the page. */
export class ChosenLanguage {
  readonly #changed = new Set<() => void>();
  #label: string | undefined;

  readonly read = (): string | undefined => this.#label;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#changed.add(changed);
    return () => this.#changed.delete(changed);
  };

  choose(label: string): void {
    this.#label = label;
    for (const changed of this.#changed) changed();
  }
}
