import type { Field } from './fields.ts';
import type { NodeKind } from './node-kind.ts';
import { toSummaryLine, WITH_VALUES } from './summary-line.ts';

const MAX_TEXT_LENGTH = 4000;

/** Form field for the text that a step sends to the visitor; may be empty. */
export const sayField: Field = {
  kind: 'text',
  name: 'text',
  label: 'Message',
  hint: `Leave blank for no message. ${WITH_VALUES}`,
  max: MAX_TEXT_LENGTH,
};

const messageField: Field = { ...sayField, name: 'message' };

/** Types of flow steps that send a message to the visitor or end the flow. */
export const sayKinds = {
  message: {
    title: 'Message',
    description: 'Sends a message.',
    fields: [{ ...sayField, label: 'Text', hint: WITH_VALUES, initial: '' }],
    ports: () => [{ id: 'out', label: 'Next step' }],
    summary: ({ text }) => toSummaryLine(text),
  },
  handoff: {
    title: 'Transfer',
    description: 'Hands the conversation to your team, and ends the flow.',
    fields: [
      {
        kind: 'line',
        name: 'reason',
        label: 'Reason (internal)',
        hint: 'You can insert values in double braces.',
        max: 1000,
      },
      messageField,
    ],
    ports: () => [{ id: 'unavailable', label: 'Team unavailable' }],
    summary: ({ reason, message }) => toSummaryLine(reason ?? message),
  },
  jump: {
    title: 'Jump',
    description: 'Continues at another step or flow.',
    fields: [{ kind: 'target', name: 'node', label: 'Continue at' }],
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
