import { Column } from 'typeorm';

export interface SealedOptions {
  /** Property whose value the content is bound to; the row's key by default. */
  boundTo?: string;
  /** Members of JSON that stay plain, so that rows are found by them while the key is unavailable. */
  outside?: readonly string[];
}

declare const content: unique symbol;

/**
 * Type of an encrypted column in a stored row. Only a repository decrypts it. The type is based on symbol, which
 * cannot be compared with, joined with or spread into a text or object. It has no runtime value.
 */
export type Sealed<T> = symbol & { readonly [content]: T };

type Content<V> = V extends { readonly [content]: infer T } ? T : V;

/** A row that a repository has decrypted. */
export type Opened<R> = { [K in keyof R]: Content<R[K]> };

const optionsByEntity = new Map<Function, Map<string, SealedOptions>>();

/** Marks a column with content. Workspaces with encryption store it encrypted. */
export const Sealed =
  (options: SealedOptions = {}) =>
  <K extends string>(object: { [P in K]: unknown }, property: K): void => {
    const properties = optionsByEntity.get(object.constructor) ?? new Map<string, SealedOptions>();
    optionsByEntity.set(object.constructor, properties.set(property, options));
  };

/** The column with the data key's id, for a row with `Sealed` columns. */
export const KeyId = () => Column({ name: 'key_id', type: 'uuid', nullable: true });

/** Options of the `Sealed` properties, by entity class. */
export const sealedProperties: ReadonlyMap<Function, ReadonlyMap<string, SealedOptions>> = optionsByEntity;
