import { folded, numberIn, textOf } from './flow-values.ts';

type Operator = (value: unknown, than: unknown) => boolean;

function isUnset(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(value: unknown): boolean {
  if (isUnset(value)) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value!).length === 0;
}

/** Whether a list has what equals the value, of which the letters are looked at once. */
function isOneOf(list: readonly unknown[], value: unknown): boolean {
  const number = numberIn(value);
  const text = folded(textOf(value));
  return list.some((item) => {
    if (isUnset(item)) return false;
    const other = number === null ? null : numberIn(item);
    return other === null ? folded(textOf(item)) === text : other === number;
  });
}

const equals: Operator = (value, than) => isOneOf([value], than);

const contains: Operator = (value, than) => {
  if (isEmpty(value) || isEmpty(than)) return false;
  if (Array.isArray(value)) return isOneOf(value, than);
  return folded(textOf(value)).includes(folded(textOf(than)));
};

/** One of a list, or of a text with commas. */
const isIn: Operator = (value, than) => {
  const list = Array.isArray(than) ? than : textOf(than).split(',');
  return !isUnset(value) && isOneOf(list, value);
};

const startsWith: Operator = (value, than) =>
  !isEmpty(than) && !isUnset(value) && folded(textOf(value)).startsWith(folded(textOf(than)));
const endsWith: Operator = (value, than) =>
  !isEmpty(than) && !isUnset(value) && folded(textOf(value)).endsWith(folded(textOf(than)));

/** By number where both are numbers, or else by their letters, as dates are in order; nothing is more or less than nothing. */
function ordered(fits: (order: number) => boolean): Operator {
  return (value, than) => {
    if (isEmpty(value) || isEmpty(than)) return false;
    const [one, other] = [numberIn(value), numberIn(than)];
    if (one !== null && other !== null) return fits(one - other);
    const [left, right] = [folded(textOf(value)), folded(textOf(than))];
    return fits(left < right ? -1 : left > right ? 1 : 0);
  };
}

const not =
  (operator: Operator): Operator =>
  (value, than) =>
    !operator(value, than);

const YES = new Set(['true', 'yes', 'on', '1']);

/** How a rule compares what stands at its path with its value. No regular expressions: they could run for ever. */
export const operators = {
  equals,
  not_equals: not(equals),
  contains,
  not_contains: not(contains),
  starts_with: startsWith,
  ends_with: endsWith,
  in: isIn,
  not_in: not(isIn),
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
  is_set: (value) => !isUnset(value),
  is_empty: isEmpty,
  is_true: (value) => YES.has(folded(textOf(value))),
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof operators;
export const operatorNames = Object.keys(operators) as OperatorName[];

/** They look at the path alone. */
export const withoutValue: ReadonlySet<string> = new Set(['is_set', 'is_empty', 'is_true']);
