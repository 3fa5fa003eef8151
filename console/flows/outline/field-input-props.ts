import type { NodeData } from '../graph/flow-draft.ts';
import type { Field } from '../kinds/fields.ts';

export interface FieldInputProps<F extends Field = Field> {
  field: F;
  /**
   * Object that contains the field's value: the data of the flow's step, or an item of a list in that data.
   */
  data: NodeData;
  /** Path to the object in `data` within the step's data: empty, or a prefix such as `options[1].`. */
  pathPrefix: string;
  /** Other items of the list, if the object in `data` is a list item. */
  others?: readonly NodeData[];
  /**
   * Changes the object.
   * @param changed new values by key; undefined removes a key
   * @param subject key of the edited value: consecutive changes with the same key become one undo step; by
   * default the changed keys
   */
  onChange(changed: NodeData, subject?: string | null): void;
  /** Error messages, by the path of the field in the step's data. */
  problems: ReadonlyMap<string, string>;
}
