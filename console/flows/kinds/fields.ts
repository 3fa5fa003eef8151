import type { NodeData } from '../graph/flow-draft.ts';

/** What a form asks for, whatever kind of field it is. */
interface Common {
  /** The key in the data. */
  name: string;
  label: string;
  hint?: string;
  /** Whether it is asked for, with what is chosen elsewhere; what is not is not kept either. */
  isFor?(data: NodeData): boolean;
  /** What there is where nothing was said; without it, an empty field is not sent. */
  fresh?: unknown;
}

/** A text of one line. */
interface LineField extends Common {
  kind: 'line';
  max?: number;
  placeholder?: string;
}

/** A text of several lines. */
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
  /** What counts where nothing is said. */
  usual?: string;
}

interface FlagField extends Common {
  kind: 'flag';
}

/** Words, one a line. */
interface WordsField extends Common {
  kind: 'words';
}

/** A text, a number, or yes or no. */
interface ValueField extends Common {
  kind: 'value';
}

/** What ports are named by: changed at once, when it is whole. */
interface IdField extends Common {
  kind: 'id';
}

/** The value of a header, which may be kept out of sight. */
interface SecretField extends Common {
  kind: 'secret';
}

/** Where a jump leads. */
interface TargetField extends Common {
  kind: 'target';
}

export interface ListField extends Common {
  kind: 'list';
  /** What one item is called. */
  noun: string;
  most: number;
  /** How many there have to be. */
  least?: number;
  items: readonly Field[];
  /** A new item, beside those that there are. */
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

export function fieldsFor(fields: readonly Field[], data: NodeData): Field[] {
  return fields.filter(({ isFor }) => isFor?.(data) ?? true);
}

/** The data with what has to be there, and without what is not asked for. */
export function tidied(fields: readonly Field[], data: NodeData): NodeData {
  const tidy = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  for (const field of fields) {
    const { name, isFor, fresh } = field;
    if (isFor && !isFor(tidy)) delete tidy[name];
    else if (tidy[name] === undefined && fresh !== undefined) tidy[name] = fresh;
    const items = tidy[name];
    if (field.kind === 'list' && Array.isArray(items))
      tidy[name] = items.map((item: NodeData) => tidied(field.items, item));
  }
  return tidy;
}

/** An id with a number that none of the items has. */
export function freeItemId(items: readonly NodeData[], prefix: string): string {
  const taken = new Set(items.map(({ id }) => id));
  for (let number = 1; ; number += 1) if (!taken.has(`${prefix}_${number}`)) return `${prefix}_${number}`;
}
