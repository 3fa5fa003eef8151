import { Column } from 'typeorm';

export interface SealedOptions {
  /** The property whose value the content is bound to, where that is not the row's key. */
  boundTo?: string;
  /** Members of JSON that stay readable beside what is sealed: rows are found by them while the key is out of reach. */
  outside?: readonly string[];
}

const marked = new Map<Function, Map<string, SealedOptions>>();

/** What visitors or the team have said, or what was made of that: sealed in workspaces that seal their content. */
export const Sealed =
  (options: SealedOptions = {}): PropertyDecorator =>
  (object, property) => {
    const properties = marked.get(object.constructor) ?? new Map<string, SealedOptions>();
    marked.set(object.constructor, properties.set(String(property), options));
  };

/** The column that names the data key of a row with `Sealed` columns. */
export const KeyId = () => Column({ name: 'key_id', type: 'uuid', nullable: true });

/** The `Sealed` properties of entities, by their classes. */
export const sealedProperties: ReadonlyMap<Function, ReadonlyMap<string, SealedOptions>> = marked;
