import type { NodeData } from '../graph/flow-draft.ts';
import { findFreeItemId, type Field } from './fields.ts';
import type { NodeKind, Port } from './node-kind.ts';
import { sayField } from './say-kinds.ts';
import { toSummaryLine, WITH_VALUES } from './summary-line.ts';

const isChoice = ({ input }: NodeData): boolean => input === 'choice';
const hasBounds = ({ input }: NodeData): boolean => input === 'number' || input === 'text';

const questionFields: readonly Field[] = [
  { kind: 'text', name: 'text', label: 'Question', hint: WITH_VALUES, max: 4000, initial: '' },
  {
    kind: 'choice',
    name: 'input',
    label: 'Answer type',
    initial: 'text',
    options: [
      ['choice', 'One option'],
      ['text', 'Text'],
      ['email', 'Email'],
      ['phone', 'Phone number'],
      ['number', 'Number'],
      ['date', 'Date'],
    ],
  },
  {
    kind: 'list',
    name: 'options',
    label: 'Options',
    noun: 'option',
    max: 12,
    min: 1,
    isShown: isChoice,
    initial: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No' },
    ],
    items: [
      { kind: 'line', name: 'label', label: 'Label', max: 80, initial: '' },
      { kind: 'id', name: 'id', label: 'ID' },
    ],
    make: (items) => ({ id: findFreeItemId(items, 'option'), label: `Option ${items.length + 1}` }),
  },
  {
    kind: 'line',
    name: 'variable',
    label: 'Save answer as',
    hint: 'A variable name such as city, which you can use as {{vars.city}}.',
    max: 64,
  },
  {
    kind: 'number',
    name: 'min',
    label: 'Minimum',
    hint: 'The smallest number allowed. For text, the smallest number of characters allowed.',
    isShown: hasBounds,
  },
  {
    kind: 'number',
    name: 'max',
    label: 'Maximum',
    hint: 'The largest number allowed. For text, the largest number of characters allowed.',
    isShown: hasBounds,
  },
  {
    kind: 'choice',
    name: 'on_other',
    label: 'If the answer is invalid',
    defaultOption: 'answer',
    options: [
      ['answer', 'Treat it as a question: answer from knowledge, then ask again'],
      ['retry', 'Ask again immediately'],
      ['accept', 'Accept it unchanged'],
    ],
  },
  {
    kind: 'line',
    name: 'retry_text',
    label: 'Message before asking again',
    max: 1000,
    isShown: ({ on_other: other }) => other !== 'accept',
  },
  {
    kind: 'number',
    name: 'max_retries',
    label: 'Maximum retries',
    hint: 'Default 2.',
    min: 0,
    max: 5,
    placeholder: '2',
    isShown: ({ on_other: other }) => other !== 'accept',
  },
  {
    kind: 'number',
    name: 'timeout_minutes',
    label: 'Timeout (minutes)',
    hint: 'Leave blank for no timeout. 1,440 minutes is one day.',
    min: 1,
    max: 1440,
  },
];

function listQuestionPorts(data: NodeData): Port[] {
  const options = isChoice(data) ? ((data['options'] ?? []) as { id: string; label: string }[]) : [];
  return [
    ...options.map(({ id, label }) => ({ id: `option:${id}`, label: label || id })),
    { id: 'out', label: isChoice(data) ? 'Any other option' : 'Answer' },
    { id: 'invalid', label: 'Invalid answer' },
    ...(data['timeout_minutes'] === undefined ? [] : [{ id: 'timeout', label: 'No answer in time' }]),
  ];
}

const messageFields: readonly Field[] = [sayField];
const summarizeText = ({ text }: NodeData): string => toSummaryLine(text);

/** Types of flow steps that ask the visitor for input, or answer a question. */
export const askKinds = {
  question: {
    title: 'Question',
    description: 'Asks the visitor a question and waits for the answer.',
    fields: questionFields,
    ports: listQuestionPorts,
    summary: summarizeText,
  },
  knowledge_answer: {
    title: 'Answer from knowledge',
    description: "Answers from the bot's knowledge.",
    fields: [
      {
        kind: 'line',
        name: 'query',
        label: 'Search query',
        hint: "Leave blank to use the visitor's last message as the query.",
        placeholder: '{{last_message}}',
        max: 1000,
      },
      { kind: 'words', name: 'tags', label: 'Only documents with these tags', hint: 'One per line.' },
    ],
    ports: () => [
      { id: 'out', label: 'Answered' },
      { id: 'not_found', label: 'Nothing found' },
    ],
    summary: ({ query }) => toSummaryLine(query),
  },
  model_answer: {
    title: 'AI reply',
    description: 'Generates a reply with AI.',
    fields: [
      {
        kind: 'text',
        name: 'instructions',
        label: 'Instructions',
        hint: WITH_VALUES,
        max: 4000,
        initial: '',
      },
      {
        kind: 'line',
        name: 'save_as',
        label: 'Save as',
        hint: 'A variable name. Leave blank to send the reply to the visitor instead.',
        max: 64,
      },
    ],
    ports: () => [
      { id: 'out', label: 'Generated' },
      { id: 'error', label: 'Failed' },
    ],
    summary: ({ instructions }) => toSummaryLine(instructions),
  },
  directory: {
    title: 'Directory',
    description: "Directs the visitor to an entry in the bot's directory.",
    fields: messageFields,
    ports: () => [
      { id: 'resolved', label: 'Chosen' },
      { id: 'not_found', label: 'Nothing chosen' },
    ],
    summary: summarizeText,
  },
  lead_form: {
    title: 'Contact form',
    description: "Shows the bot's form for contact details.",
    fields: messageFields,
    ports: () => [
      { id: 'submitted', label: 'Sent' },
      { id: 'refused', label: 'Not sent' },
    ],
    summary: summarizeText,
  },
  booking: {
    title: 'Booking',
    description: 'Offers free times from the calendar.',
    fields: messageFields,
    ports: () => [
      { id: 'booked', label: 'Booked' },
      { id: 'none', label: 'No time fits' },
      { id: 'unavailable', label: 'No calendar' },
    ],
    summary: summarizeText,
  },
} as const satisfies Record<string, NodeKind>;
