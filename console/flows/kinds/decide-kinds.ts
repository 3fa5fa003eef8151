import type { OperatorName } from '../../../core/flows/operators.ts';
import type { NodeData } from '../graph/flow-draft.ts';
import { findFreeItemId, type Field } from './fields.ts';
import type { NodeKind } from './node-kind.ts';
import { toSummaryLine } from './summary-line.ts';

const operatorWords: Record<OperatorName, string> = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  in: 'is one of',
  not_in: 'is none of',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  is_set: 'is set',
  is_empty: 'is empty',
  is_true: 'is true',
};

const withoutValue: ReadonlySet<unknown> = new Set<OperatorName>(['is_set', 'is_empty', 'is_true']);

const initialRule = { path: 'last_message', operator: 'contains', value: '' };

const ruleFields: readonly Field[] = [
  {
    kind: 'line',
    name: 'path',
    label: 'Value',
    hint: 'For example vars.city, contact.email, visitor.page_url or last_message.',
    max: 300,
    initial: 'last_message',
  },
  {
    kind: 'choice',
    name: 'operator',
    label: 'Operator',
    initial: 'equals',
    options: Object.entries(operatorWords),
  },
  {
    kind: 'value',
    name: 'value',
    label: 'Compare with',
    initial: '',
    isShown: ({ operator }) => !withoutValue.has(operator),
  },
];

const caseFields: readonly Field[] = [
  {
    kind: 'choice',
    name: 'match',
    label: 'Match',
    initial: 'all',
    options: [
      ['all', 'All rules'],
      ['any', 'Any rule'],
    ],
  },
  {
    kind: 'list',
    name: 'rules',
    label: 'Rules',
    noun: 'rule',
    max: 10,
    min: 1,
    initial: [initialRule],
    items: ruleFields,
    make: () => initialRule,
  },
  { kind: 'id', name: 'id', label: 'ID' },
];

interface Rule {
  path: string;
  operator: OperatorName;
  value?: string | number | boolean | string[];
}
interface Case {
  id: string;
  match: string;
  rules: Rule[];
}

function describeCase({ match, rules }: Case): string {
  return rules
    .map(({ path, operator, value }) =>
      [path, operatorWords[operator], Array.isArray(value) ? value.join(', ') : value]
        .filter((word) => word !== undefined)
        .join(' '),
    )
    .join(match === 'all' ? ' and ' : ' or ');
}

const getCases = ({ cases }: NodeData): Case[] => (cases ?? []) as Case[];

const assignmentFields: readonly Field[] = [
  { kind: 'line', name: 'variable', label: 'Variable', max: 64, initial: 'name' },
  {
    kind: 'choice',
    name: 'op',
    label: 'Action',
    initial: 'set',
    options: [
      ['set', 'Set to'],
      ['add', 'Increase by'],
      ['append', 'Append to list'],
      ['clear', 'Remove'],
    ],
  },
  {
    kind: 'value',
    name: 'value',
    label: 'Value',
    initial: '',
    isShown: ({ op }) => op !== 'clear',
  },
];

/** Types of flow steps that choose a branch or compute a value. */
export const decideKinds = {
  condition: {
    title: 'Condition',
    description: 'Runs the first matching branch.',
    fields: [
      {
        kind: 'list',
        name: 'cases',
        label: 'Cases',
        noun: 'case',
        max: 10,
        initial: [{ id: 'case_1', match: 'all', rules: [initialRule] }],
        items: caseFields,
        make: (items) => ({ id: findFreeItemId(items, 'case'), match: 'all', rules: [initialRule] }),
      },
    ],
    ports: (data) => [
      ...getCases(data).map((each) => ({ id: `case:${each.id}`, label: toSummaryLine(describeCase(each)) })),
      { id: 'else', label: 'Otherwise' },
    ],
    summary: (data) => toSummaryLine(getCases(data).map(describeCase).join('; ')),
  },
  set: {
    title: 'Set variables',
    description: 'Stores values for later steps.',
    fields: [
      {
        kind: 'list',
        name: 'assignments',
        label: 'Variables',
        noun: 'variable',
        max: 20,
        min: 1,
        initial: [{ variable: 'name', op: 'set', value: '' }],
        items: assignmentFields,
        make: () => ({ variable: 'name', op: 'set', value: '' }),
      },
      {
        kind: 'flag',
        name: 'to_contact',
        label: 'Also save to the contact',
      },
    ],
    ports: () => [{ id: 'out', label: 'Next step' }],
    summary: ({ assignments }) =>
      toSummaryLine(
        ((assignments ?? []) as { variable: string }[]).map(({ variable }) => variable).join(', '),
      ),
  },
} as const satisfies Record<string, NodeKind>;
