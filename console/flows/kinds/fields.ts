import type { NodeData } from '../graph/flow-draft.ts';

/** Properties shared by all kinds of fields. */
interface Common {
  /** Key in the step's data. */
  name: string;
  label: string;
  hint?: string;
  /** Whether the field is shown for this data; the value of a hidden field is removed. */
  isFor?(data: NodeData): boolean;
  /** Initial value. Without one, an empty field is not sent. */
  fresh?: unknown;
}

/** Text of one line. */
interface LineField extends Common {
  kind: 'line';
  max?: number;
  placeholder?: string;
}

/** Text of several lines. */
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
  /** Value that applies if none is set. */
  usual?: string;
}

interface FlagField extends Common {
  kind: 'flag';
}

/** Words, one per line. */
interface WordsField extends Common {
  kind: 'words';
}

/** Text, number or boolean. */
interface ValueField extends Common {
  kind: 'value';
}

/** Id that ports refer to; applied once the input is complete. */
interface IdField extends Common {
  kind: 'id';
}

/** Value of a header, which may be secret. */
interface SecretField extends Common {
  kind: 'secret';
}

/** Target of a jump. */
interface TargetField extends Common {
  kind: 'target';
}

export interface ListField extends Common {
  kind: 'list';
  /** Singular noun for an item, as in “Add option”. */
  noun: string;
  max: number;
  /** Minimum number of items. */
  min?: number;
  items: readonly Field[];
  /** Creates an item; `items` are the existing ones. */
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
  return fields.filter(({ isFor }) => isFor?.(data) ?? true);
}

/** Adds initial values and removes the values of hidden fields. */
export function tidyData(fields: readonly Field[], data: NodeData): NodeData {
  const tidy = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  for (const field of fields) {
    const { name, isFor, fresh } = field;
    if (isFor && !isFor(tidy)) delete tidy[name];
    else if (tidy[name] === undefined && fresh !== undefined) tidy[name] = fresh;
    const items = tidy[name];
    if (field.kind === 'list' && Array.isArray(items))
      tidy[name] = items.map((item: NodeData) => tidyData(field.items, item));
  }
  return tidy;
}

/** Returns the first numbered id that no item has. */
export function findFreeItemId(items: readonly NodeData[], prefix: string): string {
  const taken = new Set(items.map(({ id }) => id));
  for (let number = 1; ; number += 1) if (!taken.has(`${prefix}_${number}`)) return `${prefix}_${number}`;
}
