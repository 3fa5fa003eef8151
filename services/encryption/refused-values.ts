/** How many sealed values and files this process could not open although it has the keys of their workspace: somebody has changed or moved them. */
export class RefusedValues {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  readonly add = (): void => {
    this.#count += 1;
  };
}
