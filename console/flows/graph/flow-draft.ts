import type { FlowGraph, FlowNode } from '../../../core/flows/flow-graph.ts';
import type { Flow } from '../../client/types.ts';

export type { FlowEdge, FlowGraph, FlowNode, FlowNodeType } from '../../../core/flows/flow-graph.ts';

export type NodeData = FlowNode['data'];

/** Parts of a flow that the user can edit. */
export interface FlowDraft {
  name: string;
  description: string;
  /** Event that starts the flow; empty if only other flows start it. */
  trigger: string;
  graph: FlowGraph;
}

export function toFlowDraft({ name, description, trigger, graph }: Omit<Flow, 'id'>): FlowDraft {
  return {
    name,
    description: description ?? '',
    trigger: trigger ?? '',
    graph: graph as unknown as FlowGraph,
  };
}

/** Converts the user's draft of a flow to the API request that saves it. */
export function toFlowRequest(draft: FlowDraft, botId: string) {
  const { name, description, trigger, graph } = draft;
  return {
    bot_id: botId,
    name: name.trim(),
    description: description.trim() === '' ? null : description,
    trigger: trigger.trim() === '' ? null : trigger,
    graph,
  };
}

export function isSameDraft(one: FlowDraft, other: FlowDraft): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether another user has saved the flow since `base` was loaded. */
export function isNewer(now: Flow, base: Flow): boolean {
  return now.revision !== base.revision || !isSameDraft(toFlowDraft(now), toFlowDraft(base));
}
