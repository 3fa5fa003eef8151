import type { NodeData } from '../graph/flow-draft.ts';
import type { Field } from '../kinds/fields.ts';

export interface FieldInputProps<F extends Field = Field> {
  field: F;
  /** What the field is in: the data of a step, or an item of a list. */
  data: NodeData;
  /** Where that stands in the data of the step: empty, or `options[1].`. */
  place: string;
  /** @param changed keys that get a value; undefined removes one */
  onChange(changed: NodeData): void;
  /** What is wrong, by the place in the data of the step. */
  problems: ReadonlyMap<string, string>;
}
