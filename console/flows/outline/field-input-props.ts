import type { NodeData } from '../graph/flow-draft.ts';
import type { Field } from '../kinds/fields.ts';

export interface FieldInputProps<F extends Field = Field> {
  field: F;
  /** What the field is in: the data of a step, or an item of a list. */
  data: NodeData;
  /** Where that stands in the data of the step: empty, or `options[1].`. */
  place: string;
  /** The other items, where it is in one of a list. */
  others?: readonly NodeData[];
  /**
   * @param changed keys that get a value; undefined removes one
   * @param subject what goes on being changed, if not these keys; null for what stands for itself
   */
  onChange(changed: NodeData, subject?: string | null): void;
  /** What is wrong, by the place in the data of the step. */
  problems: ReadonlyMap<string, string>;
}
