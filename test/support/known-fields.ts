import type { TSchema } from '@sinclair/typebox';

/** Fields by their own name and what their schema says of them, for what holds for one of them holds for its copies elsewhere. */
export class KnownFields {
  readonly #known = new Set<string>();

  /** Returns false the first time. @param field as in `details[].field`, in whatever it stands */
  has(field: string, schema: TSchema): boolean {
    const key = `${field.split('.').at(-1)} ${JSON.stringify(schema)}`;
    const isKnown = this.#known.has(key);
    this.#known.add(key);
    return isKnown;
  }
}
