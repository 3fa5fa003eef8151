import { Type, type Static } from '@sinclair/typebox';
import type { DrawnFlow, FlowInput } from '../../services/flows/flow-service.ts';
import { IdOf } from '../http/schemas/named-resource.ts';
import { DateTime, FreeForm, Nullable, Strict, Uuid } from '../http/schemas/schemas.ts';

export const FlowParams = Type.Object({ flow_id: Uuid('The flow.') });

/** Of graphs of 200 KB each. */
export const MOST_LISTED = 50;

export const FlowListQuery = Type.Object(
  {
    bot_id: Type.Optional(IdOf('bot', 'Only flows of this bot.')),
    is_active: Type.Optional(Type.Boolean({ description: 'Only flows that are active, or that are not.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_LISTED,
        default: MOST_LISTED,
        description: 'Flows at most: each has its whole graph.',
      }),
    ),
    before: Type.Optional(
      IdOf('flow', 'Only flows that were made before this one: the last of the list before.'),
    ),
  },
  { additionalProperties: false },
);

/** Says hello and ends. */
const EXAMPLE = {
  version: 1,
  nodes: [
    { id: 'start', type: 'start', data: {} },
    { id: 'hello', type: 'message', data: { text: 'Hello {{contact.name|there}}!' } },
    { id: 'end', type: 'end', data: {} },
  ],
  edges: [
    { source: 'start', port: 'out', target: 'hello' },
    { source: 'hello', port: 'out', target: 'end' },
  ],
};

const Trigger = Type.String({
  maxLength: 200,
  description:
    'When it begins: `conversation_started`, `first_message`, `keyword:refund,money back`, `page:/pricing*` or `no_answer`; null where only other flows lead to it.',
  examples: ['keyword:refund'],
});

export const FlowSave = Strict(
  {
    bot_id: Uuid('The bot that the flow is for; it stays.'),
    name: Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'What people call it.',
      examples: ['Refunds'],
    }),
    graph: {
      ...FreeForm(
        'Its steps and what leads from one to the next: `{version: 1, nodes: [{id, type, position?, data}], edges: [{source, port?, target}]}`, at most 100 nodes, 300 edges and 200 KB.',
      ),
      examples: [EXAMPLE],
    },
    description: Type.Optional(Nullable(Type.String({ maxLength: 2000, description: 'For the team.' }))),
    trigger: Type.Optional(Nullable(Trigger)),
  },
  { $id: 'FlowSave', description: 'A flow, as a whole: what is left out is empty.' },
);

export const FlowRead = Type.Object(
  {
    id: Uuid('The flow’s id.'),
    org_id: Uuid('The workspace that it belongs to.'),
    bot_id: Uuid('The bot that it is for.'),
    name: Type.String({ description: 'What people call it.' }),
    description: Nullable(Type.String({ description: 'For the team.' })),
    trigger: Nullable(
      Type.String({ description: 'When it begins; null where only other flows lead to it.' }),
    ),
    graph: {
      ...FreeForm(
        'Its steps and what leads from one to the next. A secret header has `has_value` in the place of its value.',
      ),
      examples: [EXAMPLE],
    },
    is_active: Type.Boolean({ description: 'Whether its trigger fires.' }),
    revision: Type.Integer({ description: 'From 1, and one more with each change of the graph.' }),
    created_at: DateTime('When it was made.'),
    updated_at: DateTime('When it was saved last.'),
    activated_at: Nullable(DateTime('When it was activated last.')),
  },
  { $id: 'FlowRead', description: 'A conversation that a bot leads by plan.' },
);
export type FlowRead = Static<typeof FlowRead>;

export function flowInput(body: Static<typeof FlowSave>): FlowInput {
  const { bot_id: botId, name, graph, description = null, trigger = null } = body;
  return { botId, name, graph, description, trigger };
}

export function presentFlow(flow: DrawnFlow): FlowRead {
  const { id, orgId, botId, name, description, trigger, graph, isActive, revision } = flow;
  return {
    id,
    org_id: orgId,
    bot_id: botId,
    name,
    description,
    trigger,
    graph: { ...graph },
    is_active: isActive,
    revision,
    created_at: flow.createdAt.toISOString(),
    updated_at: flow.updatedAt.toISOString(),
    activated_at: flow.activatedAt?.toISOString() ?? null,
  };
}
