/** First names of the paths that a flow's rules and templates can read. */
const pathRoots = [
  'vars',
  'visitor',
  'contact',
  'conversation',
  'bot',
  'http',
  'now',
  'last_message',
] as const;

/** Values that rules and templates of a flow can read by path. */
export type FlowValues = Readonly<Partial<Record<(typeof pathRoots)[number], unknown>>>;

/** Maximum number of keys in a path to a flow's value. */
const PATH_DEPTH = 4;

const KEY = '[\\w-]{1,64}';
const NESTED_PATH = `(\\.${KEY}){1,${PATH_DEPTH - 1}}`;
const OBJECTS = pathRoots.filter((root) => root !== 'last_message').join('|');

/**
 * Pattern of a path to a flow's value, such as `vars.city`, `contact.custom_fields.size` or `last_message`.
 */
export const PATH = `^(last_message|(${OBJECTS})${NESTED_PATH})$`;
/** Pattern of a path within the body of the response to a flow's HTTP request. */
export const BODY_PATH = `^${KEY}(\\.${KEY}){0,${PATH_DEPTH - 1}}$`;

const isPathLike = new RegExp(PATH);

export function isPath(text: string): boolean {
  return isPathLike.test(text);
}

/**
 * Returns the flow's value at a path; undefined if there is no value at the path. Reads own properties only,
 * so that a path cannot reach JavaScript internals such as `constructor`.
 */
export function getValueAt(values: unknown, path: string): unknown {
  const steps = path.split('.');
  if (steps.length > PATH_DEPTH) return undefined;
  let value = values;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

const NUMERAL = /^[+-]?\d{1,15}(\.\d{1,15})?$/;

/** Parses a value of a flow as a number; null if it is not a number. */
export function parseNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return NUMERAL.test(text) ? Number(text) : null;
}
