import type { NodeData } from '../graph/flow-draft.ts';

/** Properties of every field in the form of a flow's step. */
interface Common {
  /** Key of the field's value in the data of the flow's step. */
  name: string;
  label: string;
  hint?: string;
  /**
   * Returns whether the form shows the field while the step has this data. The value of a hidden field is
   * deleted.
   */
  isShown?(data: NodeData): boolean;
  /**
   * Value of the field in a new step. If undefined, the field starts empty, and the console does not send an
   * empty field.
   */
  initial?: unknown;
}

/** Form field for text of one line. */
interface LineField extends Common {
  kind: 'line';
  max?: number;
  placeholder?: string;
}

/** Form field for text of several lines. */
interface TextField extends Common {
  kind: 'text';
  max?: number;
  rows?: number;
  isCode?: boolean;
}

interface NumberField extends Common {
  kind: 'number';
  min?: number;
  max?: number;
  placeholder?: string;
}

interface ChoiceField extends Common {
  kind: 'choice';
  options: readonly (readonly [value: string, label: string])[];
  /** Option that applies if the step's data has no value; the field then shows it as selected. */
  defaultOption?: string;
}

interface FlagField extends Common {
  kind: 'flag';
}

/** Form field for a list of words, one per line. */
interface WordsField extends Common {
  kind: 'words';
}

/** Form field for text with placeholders, a number or a boolean; the user chooses which. */
interface ValueField extends Common {
  kind: 'value';
}

/**
 * Form field for the id of a list item, which is part of the id of the item's output. Changes apply only when
 * the user leaves the input.
 */
interface IdField extends Common {
  kind: 'id';
}

/** Form field for the value of an HTTP header, which the user can mark as secret. */
interface SecretField extends Common {
  kind: 'secret';
}

/** Form field for the step or flow to which the flow jumps. */
interface TargetField extends Common {
  kind: 'target';
}

export interface ListField extends Common {
  kind: 'list';
  /** Singular noun for a list item, used in labels such as “Add option”. */
  noun: string;
  max: number;
  /** Minimum number of items in the list. */
  min?: number;
  items: readonly Field[];
  /**
   * Creates a list item.
   * @param items existing items, whose ids the new item must not have
   */
  make(items: readonly NodeData[]): NodeData;
}

export type Field =
  | LineField
  | TextField
  | NumberField
  | ChoiceField
  | FlagField
  | WordsField
  | ValueField
  | IdField
  | SecretField
  | TargetField
  | ListField;

export function listShownFields(fields: readonly Field[], data: NodeData): Field[] {
  return fields.filter(({ isShown }) => isShown?.(data) ?? true);
}

/** Adds initial values to the data of a flow's step, and removes values of fields that are hidden. */
export function tidyData(fields: readonly Field[], data: NodeData): NodeData {
  const tidy = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  for (const field of fields) {
    const { name, isShown, initial } = field;
    if (isShown && !isShown(tidy)) delete tidy[name];
    else if (tidy[name] === undefined && initial !== undefined) tidy[name] = initial;
    const items = tidy[name];
    if (field.kind === 'list' && Array.isArray(items))
      tidy[name] = items.map((item: NodeData) => tidyData(field.items, item));
  }
  return tidy;
}

/** Returns an id with the prefix and the lowest number that no item of the list uses. */
export function findFreeItemId(items: readonly NodeData[], prefix: string): string {
  const usedIds = new Set(items.map(({ id }) => id));
  for (let number = 1; ; number += 1) if (!usedIds.has(`${prefix}_${number}`)) return `${prefix}_${number}`;
}
