import type { TSchema } from '@sinclair/typebox';

/** Set of tested request fields, by last name and schema. A test of one field covers its copies in other bodies. */
export class KnownFields {
  readonly #known = new Set<string>();

  /**
   * Returns whether the field was already in the set, and adds it.
   * @param field path as in `details[].field`
   */
  addAndCheck(field: string, schema: TSchema): boolean {
    const key = `${field.split('.').at(-1)} ${JSON.stringify(schema)}`;
    const isKnown = this.#known.has(key);
    this.#known.add(key);
    return isKnown;
  }
}
