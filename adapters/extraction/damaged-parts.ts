import { isTooLarge } from './unreadable-document.ts';

/** Collects the damaged parts of a document. They are skipped, so that the remaining parts can be read. */
export class DamagedParts {
  readonly #names = new Set<string>();
  #firstError: unknown;

  /**
   * Reads a part of the document. If the part is damaged, adds its name to the damaged parts and returns
   * null.
   * @param name name of the part in the notice for the document's owner, such as `styles`
   */
  try<T>(name: string, read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      this.add(name, error);
      return null;
    }
  }

  /**
   * Adds a part of the document to the damaged parts. Throws the error again if the document is too large.
   */
  add(name: string, error: unknown): void {
    if (isTooLarge(error)) throw error;
    if (this.#names.size === 0) this.#firstError = error;
    this.#names.add(name);
  }

  /** Throws the error of the first damaged part if no part of the document could be read. */
  assertRest(hasContent: boolean): void {
    if (!hasContent && this.#names.size > 0) throw this.#firstError;
  }

  /**
   * Returns a notice for the document's owner about its damaged parts; empty if no part is damaged.
   * @param format name of the document's format in the notice, such as `Word document`
   */
  describe(format: string): { notice?: string } {
    if (this.#names.size === 0) return {};
    return {
      notice: `Parts of the ${format} are damaged and were skipped: ${[...this.#names].join(', ')}.`,
    };
  }
}
