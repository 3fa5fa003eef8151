import type { NodeData } from '../graph/flow-draft.ts';
import type { Field } from '../kinds/fields.ts';

export interface FieldInputProps<F extends Field = Field> {
  field: F;
  /** Object that holds the value: the step's data or an item of a list. */
  data: NodeData;
  /** Path of that object in the step's data: empty, or `options[1].`. */
  place: string;
  /** Other items of the same list. */
  others?: readonly NodeData[];
  /**
   * @param changed new values by key; undefined removes a key
   * @param subject identifies a continued edit, by default by the keys; null for a separate undo step
   */
  onChange(changed: NodeData, subject?: string | null): void;
  /** Error messages by path in the step's data. */
  problems: ReadonlyMap<string, string>;
}
