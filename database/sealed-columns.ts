import { Column } from 'typeorm';

export interface SealedOptions {
  /** Property to whose value the encrypted content is bound; the row's key by default. */
  boundTo?: string;
  /**
   * Members of an encrypted JSON value that stay plain, so that queries find rows by these members even while
   * the key is unavailable.
   */
  outside?: readonly string[];
}

declare const content: unique symbol;

/**
 * Type of an encrypted column in a stored row, which only a repository decrypts. The type extends symbol, so
 * that the compiler rejects comparing, joining or spreading the encrypted value. At runtime, the value is a
 * string.
 */
export type Sealed<T> = symbol & { readonly [content]: T };

type Content<V> = V extends { readonly [content]: infer T } ? T : V;

/** Type of a row with decrypted content. */
export type Opened<R> = { [K in keyof R]: Content<R[K]> };

const optionsByEntity = new Map<Function, Map<string, SealedOptions>>();

/**
 * Declares an entity's column whose values are content. Parley encrypts these values if the workspace uses
 * encryption.
 */
export const Sealed =
  (options: SealedOptions = {}) =>
  <K extends string>(object: { [P in K]: unknown }, property: K): void => {
    const properties = optionsByEntity.get(object.constructor) ?? new Map<string, SealedOptions>();
    optionsByEntity.set(object.constructor, properties.set(property, options));
  };

/**
 * Declares the column `key_id`, required in tables that have `Sealed` columns. It stores the id of the row's
 * data key.
 */
export const KeyId = () => Column({ name: 'key_id', type: 'uuid', nullable: true });

/** Options of the encrypted (`Sealed`) properties of each entity class. */
export const sealedProperties: ReadonlyMap<Function, ReadonlyMap<string, SealedOptions>> = optionsByEntity;
