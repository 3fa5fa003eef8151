import { Column } from 'typeorm';

export interface SealedOptions {
  /** The property whose value the content is bound to, where that is not the row's key. */
  boundTo?: string;
  /** Members of JSON that stay readable beside what is sealed: rows are found by them while the key is unavailable. */
  outside?: readonly string[];
}

declare const content: unique symbol;

/**
 * Type of a column with content in a row as it is stored. A repository opens the row to read it. The type says symbol, since that is
 * what no text or object is compared with, joined with or spread into; it exists in types alone.
 */
export type Sealed<T> = symbol & { readonly [content]: T };

type Content<V> = V extends { readonly [content]: infer T } ? T : V;

/** A row with its content, as a repository has opened it. */
export type Opened<R> = { [K in keyof R]: Content<R[K]> };

const marked = new Map<Function, Map<string, SealedOptions>>();

/** A column with content: sealed in workspaces that seal their content. */
export const Sealed =
  (options: SealedOptions = {}) =>
  <K extends string>(object: { [P in K]: unknown }, property: K): void => {
    const properties = marked.get(object.constructor) ?? new Map<string, SealedOptions>();
    marked.set(object.constructor, properties.set(property, options));
  };

/** The column that names the data key of a row with `Sealed` columns. */
export const KeyId = () => Column({ name: 'key_id', type: 'uuid', nullable: true });

/** The `Sealed` properties of entities, by their classes. */
export const sealedProperties: ReadonlyMap<Function, ReadonlyMap<string, SealedOptions>> = marked;
