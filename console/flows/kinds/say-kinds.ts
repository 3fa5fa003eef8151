import type { Field } from './fields.ts';
import type { NodeKind } from './node-kind.ts';
import { toSummaryLine, WITH_VALUES } from './summary-line.ts';

const MAX_TEXT_LENGTH = 4000;

/** Field for the text that a step sends to the visitor; may be empty. */
export const sayField: Field = {
  kind: 'text',
  name: 'text',
  label: 'What is said',
  hint: `Nothing where it is empty. ${WITH_VALUES}`,
  max: MAX_TEXT_LENGTH,
};

const messageField: Field = { ...sayField, name: 'message' };

/** Types of steps that send a message or end the flow. */
export const sayKinds = {
  message: {
    title: 'Message',
    description: 'Says something.',
    fields: [{ ...sayField, label: 'Text', hint: WITH_VALUES, fresh: '' }],
    ports: () => [{ id: 'out', label: 'Then' }],
    summary: ({ text }) => toSummaryLine(text),
  },
  handoff: {
    title: 'Hand over',
    description: 'Asks for a person; the flow ends where there is one.',
    fields: [
      {
        kind: 'line',
        name: 'reason',
        label: 'Reason, for the team',
        hint: 'Names in double braces stand for values.',
        max: 1000,
      },
      messageField,
    ],
    ports: () => [{ id: 'unavailable', label: 'Nobody is there' }],
    summary: ({ reason, message }) => toSummaryLine(reason ?? message),
  },
  jump: {
    title: 'Jump',
    description: 'Goes on at another step, or with another flow of the bot.',
    fields: [{ kind: 'target', name: 'node', label: 'Goes on at' }],
    ports: () => [],
    summary: ({ node, flow_id: flow }) =>
      typeof node === 'string' ? `to ${node}` : flow === undefined ? '' : 'to another flow',
  },
  end: {
    title: 'End',
    description: 'Ends the flow.',
    fields: [messageField],
    ports: () => [],
    summary: ({ message }) => toSummaryLine(message),
  },
} as const satisfies Record<string, NodeKind>;
