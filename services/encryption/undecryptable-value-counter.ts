/**
 * Counts encrypted values and files that could not be decrypted although their key was available. Such values
 * were changed, or copied from another row.
 */
export class UndecryptableValueCounter {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  readonly add = (): void => {
    this.#count += 1;
  };
}
