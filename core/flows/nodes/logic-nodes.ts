import { Type, type Static } from '@sinclair/typebox';
import { ComparedValue } from '../compared-value.ts';
import { OUT, runBounds } from '../flow-graph.ts';
import { parseNumber, PATH, getValueAt } from '../flow-values.ts';
import { leaveStep, defineNodeType, type DataFault, type StepInput } from '../node-type.ts';
import { operatorNames, operators, withoutValue } from '../operators.ts';
import { renderPlainText } from '../templates.ts';
import { renderValueText } from '../value-text.ts';
import { Data, Line, MAX_TEXT, Name, OneWord, templateAt, Variable } from './node-schemas.ts';

const MAX_RULES = 10;
const MAX_CASES = 10;
const MAX_ASSIGNMENTS = 20;
/** Minimum cost of evaluating a rule of a flow, in the characters that `StepWork` counts. */
const RULE_WORK = 20;
/**
 * Maximum number of UTF-16 units in a value that a flow assigns to a variable. A variable's limit counts code
 * points, which may take two units each.
 */
const MAX_ASSIGNED = 2 * runBounds.variableLength + 1;

const Rule = Data({
  path: Type.String({ maxLength: 300, pattern: PATH, examples: ['vars.city'] }),
  operator: OneWord(operatorNames),
  value: Type.Optional(
    Type.Unsafe<string | number | boolean | string[]>({
      type: ['string', 'number', 'boolean', 'array'],
      maxLength: 1000,
      maxItems: 50,
      items: Line,
    }),
  ),
});
type Rule = Static<typeof Rule>;
const Case = Data({
  id: Name,
  match: OneWord(['all', 'any']),
  rules: Type.Array(Rule, { minItems: 1, maxItems: MAX_RULES }),
});
const ConditionData = Data({ cases: Type.Array(Case, { maxItems: MAX_CASES }) });

/** Flow step that the run leaves by the port of the first case whose rules match, or else by `else`. */
export const condition = defineNodeType<Static<typeof ConditionData>>({
  type: 'condition',
  schema: ConditionData,
  ports: ({ cases }) => [...cases.map(({ id }) => `case:${id}`), 'else'],
  listRequiredPorts: ({ cases }) => [...cases.map(({ id }) => [`case:${id}`]), ['else']],
  templates: ({ cases }) =>
    cases.flatMap(({ rules }, at) =>
      rules.flatMap(({ value }, rule) =>
        templateAt(typeof value === 'string' ? value : undefined, 'cases', at, 'rules', rule, 'value'),
      ),
    ),
  faults: ({ cases }) =>
    cases.flatMap(({ id, rules }, at) => [
      ...(cases.findIndex((each) => each.id === id) < at
        ? [{ path: ['cases', at, 'id'], message: 'must not occur twice' }]
        : []),
      ...rules.flatMap((rule, index) => listRuleFaults(rule, ['cases', at, 'rules', index, 'value'])),
    ]),
  step: ({ cases }, visit) => {
    const comparison = new Comparison(visit);
    const fits = (rule: Rule) => comparison.fits(rule);
    const firstFittingCase = cases.find(({ match, rules }) =>
      match === 'all' ? rules.every(fits) : rules.some(fits),
    );
    return { move: leaveStep(firstFittingCase ? `case:${firstFittingCase.id}` : 'else') };
  },
});

function listRuleFaults({ operator, value }: Rule, path: (string | number)[]): DataFault[] {
  const isNeeded = !withoutValue.has(operator);
  if (isNeeded && value === undefined) return [{ path, message: `is required for ${operator}` }];
  return !isNeeded && value !== undefined ? [{ path, message: `is not allowed for ${operator}` }] : [];
}

/** Evaluates the rules of a flow's condition step, and caches the values that several rules compare. */
class Comparison {
  readonly #visit: StepInput;
  readonly #atPaths = new Map<string, ComparedValue>();
  readonly #texts = new Map<string, ComparedValue>();

  constructor(visit: StepInput) {
    this.#visit = visit;
  }

  /** @throws WorkLimitExceeded if the step exceeds its work limit */
  fits({ path, operator, value }: Rule): boolean {
    this.#visit.work.spend(RULE_WORK);
    return operators[operator](this.#readPath(path), this.#toOperand(value));
  }

  #readPath(path: string): ComparedValue {
    const cached = this.#atPaths.get(path);
    if (cached) return cached;
    const { values, work } = this.#visit;
    const found = new ComparedValue(getValueAt(values, path), work);
    this.#atPaths.set(path, found);
    return found;
  }

  #toOperand(value: Rule['value']): ComparedValue {
    const { values, work } = this.#visit;
    if (typeof value !== 'string') return new ComparedValue(value, work);
    const text = renderPlainText(value, values, { maxLength: runBounds.comparedLength, work });
    const comparedValue = this.#texts.get(text) ?? new ComparedValue(text, work);
    this.#texts.set(text, comparedValue);
    return comparedValue;
  }
}

const Assignment = Data({
  variable: Variable,
  op: OneWord(['set', 'add', 'append', 'clear']),
  value: Type.Optional(
    Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], maxLength: MAX_TEXT }),
  ),
});
type Assignment = Static<typeof Assignment>;
const SetData = Data({
  assignments: Type.Array(Assignment, { minItems: 1, maxItems: MAX_ASSIGNMENTS }),
  to_contact: Type.Optional(Type.Boolean()),
});

/**
 * Flow step that sets variables in order. With `to_contact`, the step also stores the variables in the
 * contact's fields.
 */
export const set = defineNodeType<Static<typeof SetData>>({
  type: 'set',
  schema: SetData,
  ports: () => [OUT],
  listRequiredPorts: () => [[OUT]],
  templates: ({ assignments }) =>
    assignments.flatMap(({ value }, at) =>
      templateAt(typeof value === 'string' ? value : undefined, 'assignments', at, 'value'),
    ),
  faults: ({ assignments }) =>
    assignments.flatMap(({ op, value }, at) =>
      (op === 'clear') === (value === undefined)
        ? []
        : [
            {
              path: ['assignments', at, 'value'],
              message: op === 'clear' ? 'is not allowed for clear' : `is required for ${op}`,
            },
          ],
    ),
  step: ({ assignments, to_contact: isKept = false }, { event, values, work }) => {
    if (event.kind === 'done') return { move: leaveStep(OUT) };
    const vars = { ...(values.vars as Record<string, unknown> | undefined) };
    const changes: Record<string, unknown> = {};
    for (const { variable, op, value } of assignments) {
      const rendered =
        typeof value === 'string'
          ? renderPlainText(value, { ...values, vars }, { maxLength: MAX_ASSIGNED, work })
          : value;
      changes[variable] = computeAssignment(
        op,
        Object.hasOwn(vars, variable) ? vars[variable] : undefined,
        rendered,
      );
      vars[variable] = changes[variable];
    }
    if (!isKept) return { changes, move: leaveStep(OUT) };
    const fields = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, renderValueText(value, MAX_ASSIGNED)]),
    );
    return { changes, move: { kind: 'perform', effect: { kind: 'keep_contact', fields } } };
  },
});

/** Computes the new value of a flow's variable; `add` counts values that are not numbers as 0. */
function computeAssignment(op: Assignment['op'], current: unknown, operand: unknown): unknown {
  switch (op) {
    case 'set':
      return operand;
    case 'add':
      return (parseNumber(current) ?? 0) + (parseNumber(operand) ?? 0);
    case 'append':
      return [...(Array.isArray(current) ? (current as unknown[]) : [current]), operand].filter(
        (item) => item !== undefined && item !== null,
      );
    case 'clear':
      return undefined;
  }
}
