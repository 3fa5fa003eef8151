import type { FlowNode, FlowNodeType, NodeData } from '../graph/flow-draft.ts';
import { tidyData } from './fields.ts';
import { askKinds } from './ask-kinds.ts';
import { decideKinds } from './decide-kinds.ts';
import type { NodeKind, Port } from './node-kind.ts';
import { requestKind } from './request-kind.ts';
import { sayKinds } from './say-kinds.ts';

export const nodeKinds: Readonly<Record<FlowNodeType, NodeKind>> = {
  start: {
    title: 'Start',
    description: 'Every run starts here.',
    fields: [],
    ports: () => [{ id: 'out', label: 'Next step' }],
    summary: () => '',
  },
  ...sayKinds,
  ...askKinds,
  ...decideKinds,
  http_request: requestKind,
};

const nodeTypeNames = Object.keys(nodeKinds) as FlowNodeType[];

/**
 * Types of steps that the user can add to a flow: all but the start step, since every flow has exactly one.
 */
export const addable: readonly (readonly [FlowNodeType, string])[] = nodeTypeNames
  .filter((type) => type !== 'start')
  .map((type) => [type, nodeKinds[type].title]);

export function getNodeKind({ type }: Pick<FlowNode, 'type'>): NodeKind {
  return nodeKinds[type];
}

export function listPorts({ type, data }: Pick<FlowNode, 'type' | 'data'>): Port[] {
  return nodeKinds[type].ports(data);
}

export function hasPort(node: Pick<FlowNode, 'type' | 'data'>, port: string): boolean {
  return listPorts(node).some(({ id }) => id === port);
}

/** Returns the initial data of a new step of a flow. */
export function createNodeData(type: FlowNodeType): NodeData {
  return tidyData(nodeKinds[type].fields, {});
}

/** Returns the display name of a flow's step: its type and a summary of its settings. */
export function getNodeName(node: FlowNode): string {
  const { title, summary } = getNodeKind(node);
  const summarized = summary(node.data);
  return summarized === '' ? title : `${title}: ${summarized}`;
}

/** Returns the display name of a flow's step with its id, for lists of steps. */
export function getNodeLabel(node: FlowNode): string {
  return `${getNodeName(node)} (${node.id})`;
}
