/** Counts sealed values and files that did not open although their key was available: they were changed or moved. */
export class RefusedValues {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  readonly add = (): void => {
    this.#count += 1;
  };
}
