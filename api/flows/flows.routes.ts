import { Type } from '@sinclair/typebox';
import type { OrgScope } from '../../database/org-scope.ts';
import type { FlowWithGraph, FlowService } from '../../services/flows/flow-service.ts';
import { accessWords, type AccessNotice } from '../../services/team/access-words.ts';
import { MODEL_TRIALS } from '../../services/requests/costs.ts';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import { toFlowTest, FlowTestRequest, FlowTestResponse, presentFlowTest } from './flow-tests.schemas.ts';
import {
  toFlowInput,
  FlowListQuery,
  FlowParams,
  FlowRead,
  FlowSave,
  MAX_LISTED,
  presentFlow,
} from './flows.schemas.ts';

const readAccess = { tag: 'flows', auth: 'member', scope: 'flows:read', role: 'viewer' } as const;
const writeAccess = { tag: 'flows', auth: 'member', scope: 'flows:write', role: 'member' } as const;

/**
 * Applies a change to a flow. Returns a notice for owners if the change may expose conversations; null if not.
 */
async function applyAndCompareExposures(
  { ctx, flows, id }: { ctx: OrgScope; flows: FlowService; id: string },
  change: () => Promise<FlowWithGraph>,
): Promise<{ flow: FlowWithGraph; notice: AccessNotice | null }> {
  const previous = await flows.listExposures(ctx, await flows.get(ctx, id));
  const flow = await change();
  return {
    flow,
    notice: accessWords.flowExposuresChanged(flow, previous, await flows.listExposures(ctx, flow)),
  };
}

export const listFlows = defineOperation({
  ...readAccess,
  id: 'listFlows',
  isLong: true,
  method: 'GET',
  path: '/api/flows',
  query: FlowListQuery,
  responses: { 200: Type.Array(FlowRead) },
  summary: 'The workspace’s flows with their graphs, newest first; at most 50 per request.',
  handle: async (
    { ctx, query: { bot_id: botId, is_active: isActive, limit = MAX_LISTED, before } },
    { flows: { flows } },
  ) => (await flows.list(ctx, { botId, isActive, limit, before })).map(presentFlow),
});

export const createFlow = defineOperation({
  ...writeAccess,
  id: 'createFlow',
  method: 'POST',
  path: '/api/flows',
  body: FlowSave,
  responses: { 201: FlowRead },
  errors: ['conflict', 'not_found'],
  summary: 'Create an inactive flow. If the graph is invalid, the errors name the node and the field.',
  handle: async ({ ctx, body }, { flows: { flows } }) =>
    presentFlow(await flows.create(ctx, toFlowInput(body))),
});

export const getFlow = defineOperation({
  ...readAccess,
  id: 'getFlow',
  isLong: true,
  method: 'GET',
  path: '/api/flows/{flow_id}',
  params: FlowParams,
  responses: { 200: FlowRead },
  summary: 'Return a flow with its graph.',
  revision: {
    ignores: [],
    lock: ({ ctx, params }, { flows: { flows } }) => flows.lock(ctx, params.flow_id),
  },
  handle: async ({ ctx, params }, { flows: { flows } }) => presentFlow(await flows.get(ctx, params.flow_id)),
});

export const saveFlow = defineOperation({
  ...writeAccess,
  id: 'saveFlow',
  method: 'PUT',
  path: '/api/flows/{flow_id}',
  params: FlowParams,
  body: FlowSave,
  responses: { 200: FlowRead },
  errors: ['conflict'],
  summary:
    'Replace a flow. A secret header without a value keeps the stored value, if its node still sends to the same server.',
  revises: getFlow,
  exposes: 'content',
  notifies: 'handler',
  handle: async ({ ctx, params: { flow_id: id }, body, notifyOwners }, { flows: { flows } }) => {
    const change = await applyAndCompareExposures({ ctx, flows, id }, () =>
      flows.save(ctx, id, toFlowInput(body)),
    );
    if (change.notice) notifyOwners(change.notice);
    return presentFlow(change.flow);
  },
});

export const deleteFlow = defineOperation({
  ...writeAccess,
  role: 'admin',
  id: 'deleteFlow',
  method: 'DELETE',
  path: '/api/flows/{flow_id}',
  params: FlowParams,
  responses: { 200: Message },
  errors: ['conflict'],
  summary: 'Delete a flow that is not active.',
  handle: async ({ ctx, params }, { flows: { flows } }) => {
    await flows.delete(ctx, params.flow_id);
    return { message: 'The flow is deleted.' };
  },
});

export const activateFlow = defineOperation({
  ...writeAccess,
  id: 'activateFlow',
  method: 'POST',
  path: '/api/flows/{flow_id}/activate',
  params: FlowParams,
  responses: { 200: FlowRead },
  errors: ['conflict', 'validation_error'],
  summary:
    'Activate a flow, so that its trigger fires. The flow must be runnable, and no other active flow of the bot may have the same trigger. Does nothing if the flow is already active.',
  exposes: 'content',
  notifies: 'handler',
  handle: async ({ ctx, params: { flow_id: id }, notifyOwners }, { flows: { flows } }) => {
    const change = await applyAndCompareExposures({ ctx, flows, id }, () => flows.activate(ctx, id));
    if (change.notice) notifyOwners(change.notice);
    return presentFlow(change.flow);
  },
});

export const deactivateFlow = defineOperation({
  ...writeAccess,
  id: 'deactivateFlow',
  method: 'POST',
  path: '/api/flows/{flow_id}/deactivate',
  params: FlowParams,
  responses: { 200: FlowRead },
  summary: 'Deactivate a flow: its trigger no longer fires. Visitors who are in the flow can finish it.',
  handle: async ({ ctx, params }, { flows: { flows } }) =>
    presentFlow(await flows.deactivate(ctx, params.flow_id)),
});

export const testFlow = defineOperation({
  ...writeAccess,
  id: 'testFlow',
  readsContent: true,
  method: 'POST',
  path: '/api/flows/{flow_id}/run',
  params: FlowParams,
  body: FlowTestRequest,
  responses: { 200: FlowTestResponse },
  summary:
    'Run the graph on sample visitor input, and return the path. Documents are searched; nothing is written or sent.',
  limits: ({ ctx }, { requests: { costLimits } }) => costLimits.buildCharges(ctx, MODEL_TRIALS),
  prepare: ({ ctx, params, body, getCloseSignal }, { flows: { flowTests } }) =>
    flowTests.test(ctx, params.flow_id, toFlowTest(body), getCloseSignal()),
  handle: async ({ prepared }) => presentFlowTest(prepared),
});
