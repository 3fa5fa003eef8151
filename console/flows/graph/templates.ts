import type { FlowDraft, FlowGraph, FlowNode } from './flow-draft.ts';
import { layOutSteps } from './layout.ts';
import { placeNodes } from './edit-graph.ts';

export interface Template {
  id: string;
  name: string;
  description: string;
  /**
   * Creates a draft of a flow from the template.
   * @param name name that the user entered for the flow
   */
  make(name: string): FlowDraft;
}

type Edge = readonly [source: string, port: string, target: string];

function createGraph(nodes: FlowNode[], edges: readonly Edge[]): FlowGraph {
  const all: FlowNode[] = [{ id: 'start', type: 'start', data: {} }, ...nodes];
  const graph: FlowGraph = {
    version: 1,
    nodes: all,
    edges: edges.map(([source, port, target]) => ({ source, port, target })),
  };
  return placeNodes(graph, layOutSteps(graph));
}

const emptyGraph = createGraph([], []);

const orderGraph = createGraph(
  [
    {
      id: 'order',
      type: 'question',
      data: {
        text: "What's your order number? You'll find it in your confirmation email.",
        input: 'text',
        variable: 'order',
        on_other: 'retry',
      },
    },
    {
      id: 'look',
      type: 'knowledge_answer',
      data: { query: 'How long does delivery take, and how can I track my order?' },
    },
    {
      id: 'enough',
      type: 'question',
      data: {
        text: 'Does that help you with order {{vars.order}}?',
        input: 'choice',
        options: [
          { id: 'yes', label: 'Yes, thank you' },
          { id: 'person', label: 'Talk to a person' },
        ],
      },
    },
    { id: 'thanks', type: 'end', data: { message: "You're welcome!" } },
    {
      id: 'person',
      type: 'handoff',
      data: {
        reason: 'Where is order {{vars.order}}?',
        message: "I've asked a teammate to join. They'll reply here.",
      },
    },
    {
      id: 'later',
      type: 'end',
      data: { message: "We're offline right now. Please message us during business hours." },
    },
  ],
  [
    ['start', 'out', 'order'],
    ['order', 'out', 'look'],
    ['order', 'invalid', 'person'],
    ['look', 'out', 'enough'],
    ['look', 'not_found', 'person'],
    ['enough', 'option:yes', 'thanks'],
    ['enough', 'option:person', 'person'],
    ['enough', 'invalid', 'person'],
    ['person', 'unavailable', 'later'],
  ],
);

const handoverGraph = createGraph(
  [
    {
      id: 'topic',
      type: 'question',
      data: {
        text: 'What is it about?',
        input: 'choice',
        variable: 'topic',
        options: [
          { id: 'order', label: 'An order' },
          { id: 'product', label: 'A product' },
          { id: 'other', label: 'Something else' },
        ],
      },
    },
    {
      id: 'details',
      type: 'question',
      data: {
        text: 'Please describe it in a sentence.',
        input: 'text',
        variable: 'details',
        on_other: 'accept',
      },
    },
    {
      id: 'person',
      type: 'handoff',
      data: {
        reason: '{{vars.topic}}: {{vars.details}}',
        message: 'Thanks! A teammate will reply here.',
      },
    },
    {
      id: 'later',
      type: 'end',
      data: { message: "We're offline right now. Please message us during business hours." },
    },
  ],
  [
    ['start', 'out', 'topic'],
    ['topic', 'out', 'details'],
    ['topic', 'invalid', 'person'],
    ['details', 'out', 'person'],
    ['person', 'unavailable', 'later'],
  ],
);

const contactGraph = createGraph(
  [
    {
      id: 'name',
      type: 'question',
      data: { text: 'What is your name?', input: 'text', variable: 'name', on_other: 'accept' },
    },
    {
      id: 'email',
      type: 'question',
      data: {
        text: 'And your email, {{vars.name}}?',
        input: 'email',
        variable: 'email',
        on_other: 'retry',
        retry_text: "That doesn't look like an email.",
      },
    },
    {
      id: 'keep',
      type: 'set',
      data: {
        assignments: [
          { variable: 'name', op: 'set', value: '{{vars.name}}' },
          { variable: 'email', op: 'set', value: '{{vars.email}}' },
        ],
        to_contact: true,
      },
    },
    { id: 'thanks', type: 'end', data: { message: "Thank you, {{vars.name}}. We'll be in touch." } },
    { id: 'without', type: 'end', data: { message: 'All right. How else can I help?' } },
  ],
  [
    ['start', 'out', 'name'],
    ['name', 'out', 'email'],
    ['name', 'invalid', 'without'],
    ['email', 'out', 'keep'],
    ['email', 'invalid', 'without'],
    ['keep', 'out', 'thanks'],
  ],
);

const createFactory =
  (trigger: string, graph: FlowGraph) =>
  (name: string): FlowDraft => ({ name, description: '', trigger, graph });

export const templates: readonly Template[] = [
  {
    id: 'empty',
    name: 'Blank flow',
    description: 'Starts with an empty canvas.',
    make: createFactory('', emptyGraph),
  },
  {
    id: 'order',
    name: 'Where is my order?',
    description:
      "Asks for the order number, answers from knowledge, and transfers to your team if that doesn't help.",
    make: createFactory('keyword:where is my order, track my order, order status', orderGraph),
  },
  {
    id: 'handover',
    name: 'Ask, then transfer',
    description: 'Asks for the topic and details, and transfers to your team with the answers.',
    make: createFactory('keyword:talk to a person, contact support', handoverGraph),
  },
  {
    id: 'contact',
    name: 'Collect contact details',
    description: 'Asks for name and email, and saves them to the contact.',
    make: createFactory('keyword:contact me, call me back', contactGraph),
  },
];
