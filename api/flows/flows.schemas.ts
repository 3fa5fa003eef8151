import { Type, type Static } from '@sinclair/typebox';
import type { FlowWithGraph, FlowInput } from '../../services/flows/flow-service.ts';
import { ResourceId } from '../http/schemas/named-resource.ts';
import { DateTime, FreeForm, Nullable, SingleLine, Strict, Uuid } from '../http/schemas/schemas.ts';

export const FlowParams = Type.Object({ flow_id: Uuid('The flow.') });

/** Maximum number of flows on a page of the list. Each flow may have a graph of 200 KB. */
export const MAX_LISTED = 50;

export const FlowListQuery = Type.Object(
  {
    bot_id: Type.Optional(ResourceId('bot', 'Only flows of this bot.')),
    is_active: Type.Optional(Type.Boolean({ description: 'Filter by whether the flow is active.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LISTED,
        default: MAX_LISTED,
        description: 'Maximum number of flows, each with its whole graph.',
      }),
    ),
    before: Type.Optional(
      ResourceId(
        'flow',
        'Only flows created before the flow with this id. Pass the last id of the previous page.',
      ),
    ),
  },
  { additionalProperties: false },
);

/** Example of a flow's graph: the flow sends a greeting and ends. */
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
    'The trigger: `conversation_started`, `first_message`, `keyword:refund,money back`, `page:/pricing*` or `no_answer`; null if only other flows start it.',
  examples: ['keyword:refund'],
});

export const FlowSave = Strict(
  {
    bot_id: Uuid('The flow’s bot, which cannot be changed.'),
    name: SingleLine({
      minLength: 1,
      maxLength: 120,
      description: 'Display name of the flow.',
      examples: ['Refunds'],
    }),
    graph: {
      ...FreeForm(
        'Steps of the flow and the connections between them: `{version: 1, nodes: [{id, type, position?, data}], edges: [{source, port?, target}]}`, at most 100 nodes, 300 edges and 200 KB.',
      ),
      examples: [EXAMPLE],
    },
    description: Type.Optional(
      Nullable(Type.String({ maxLength: 2000, description: 'A description for the team.' })),
    ),
    trigger: Type.Optional(Nullable(Trigger)),
  },
  { $id: 'FlowSave', description: 'A complete flow: omitted fields become empty.' },
);

export const FlowRead = Type.Object(
  {
    id: Uuid('The flow’s id.'),
    org_id: Uuid('The workspace that the flow belongs to.'),
    bot_id: Uuid('The flow’s bot.'),
    name: Type.String({ description: 'Display name of the flow.' }),
    description: Nullable(Type.String({ description: 'A description for the team.' })),
    trigger: Nullable(Type.String({ description: 'The trigger; null if only other flows start it.' })),
    graph: {
      ...FreeForm(
        'Steps of the flow and the connections between them. A secret header has `has_value` instead of its value.',
      ),
      examples: [EXAMPLE],
    },
    is_active: Type.Boolean({ description: 'Whether the trigger can start the flow.' }),
    revision: Type.Integer({
      description: 'The version: starts at 1, and increases with each change of the graph.',
    }),
    created_at: DateTime('Time of creation.'),
    updated_at: DateTime('Time at which the flow was last saved.'),
    activated_at: Nullable(DateTime('Time at which the flow was last activated.')),
  },
  { $id: 'FlowRead', description: 'A scripted conversation of a bot.' },
);
export type FlowRead = Static<typeof FlowRead>;

export function toFlowInput(body: Static<typeof FlowSave>): FlowInput {
  const { bot_id: botId, name, graph, description = null, trigger = null } = body;
  return { botId, name, graph, description, trigger };
}

export function presentFlow(flow: FlowWithGraph): FlowRead {
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
