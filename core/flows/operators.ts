import { containsText } from '../text/contains-text.ts';
import type { ComparedValue } from './compared-value.ts';

type Operator = (value: ComparedValue, operand: ComparedValue) => boolean;

/**
 * Cost of searching one character in a text, relative to the cost of folding its case. Searching is about four
 * times as fast.
 */
const SEARCH_COST = 0.25;

/** Returns whether one of the list's items equals the value. */
function isIncluded(list: readonly ComparedValue[], value: ComparedValue): boolean {
  const { number, work } = value;
  work.spend(list.length);
  return list.some((item) => {
    if (item.isUnset) return false;
    const other = number === null ? null : item.number;
    return other === null ? item.text === value.text : other === number;
  });
}

const equals: Operator = (value, operand) => isIncluded([value], operand);

const contains: Operator = (value, operand) => {
  if (value.isEmpty || operand.isEmpty) return false;
  if (Array.isArray(value.value)) return isIncluded(value.items, operand);
  value.work.spend(SEARCH_COST * (value.text.length + operand.text.length));
  return containsText(value.text, operand.text);
};

/**
 * Operator that matches if the rule's value, a list or a comma-separated text, contains the value at the path.
 */
const isIn: Operator = (value, operand) => !value.isUnset && isIncluded(operand.items, value);

const startsWith: Operator = (value, operand) =>
  !operand.isEmpty && !value.isUnset && value.text.startsWith(operand.text);
const endsWith: Operator = (value, operand) =>
  !operand.isEmpty && !value.isUnset && value.text.endsWith(operand.text);

/**
 * Builds an operator of a flow's rules that compares the order of two values. The operator compares two
 * numbers as numbers. It compares all other values as texts, which also orders ISO dates. An empty value never
 * matches.
 */
function compareOrder(fits: (order: number) => boolean): Operator {
  return (value, operand) => {
    if (value.isEmpty || operand.isEmpty) return false;
    if (value.number !== null && operand.number !== null) return fits(value.number - operand.number);
    const [left, right] = [value.text, operand.text];
    return fits(left < right ? -1 : left > right ? 1 : 0);
  };
}

const negate =
  (operator: Operator): Operator =>
  (value, operand) =>
    !operator(value, operand);

const YES = new Set(['true', 'yes', 'on', '1']);

/**
 * Operators of a flow's rules that compare the value at the rule's path with the rule's own value. Regular
 * expressions are missing on purpose, because some run endlessly.
 */
export const operators = {
  equals,
  not_equals: negate(equals),
  contains,
  not_contains: negate(contains),
  starts_with: startsWith,
  ends_with: endsWith,
  in: isIn,
  not_in: negate(isIn),
  gt: compareOrder((order) => order > 0),
  gte: compareOrder((order) => order >= 0),
  lt: compareOrder((order) => order < 0),
  lte: compareOrder((order) => order <= 0),
  is_set: (value) => !value.isUnset,
  is_empty: (value) => value.isEmpty,
  is_true: (value) => YES.has(value.text),
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof operators;
export const operatorNames = Object.keys(operators) as OperatorName[];

/** Operators of a flow's rules that have no value to compare with. */
export const withoutValue: ReadonlySet<string> = new Set(['is_set', 'is_empty', 'is_true']);
