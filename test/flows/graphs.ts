import type { FlowEdge, FlowGraph, FlowNode, FlowNodeType } from '../../core/flows/flow-graph.ts';

/** Builds a node of a flow; its id defaults to its type. */
export function buildNode(
  type: FlowNodeType,
  data: Record<string, unknown> = {},
  id: string = type,
): FlowNode {
  return { id, type, data };
}

/**
 * Builds the graph of a flow from nodes and edges such as `ask option:yes done`, `ask done`; the first node
 * follows the start.
 */
export function buildGraph(nodes: FlowNode[], ...edges: string[]): FlowGraph {
  const [first] = nodes;
  const startEdges = first?.type === 'start' ? [] : [{ source: 'start', target: first!.id }];
  return {
    version: 1,
    nodes: [...(startEdges.length > 0 ? [buildNode('start')] : []), ...nodes],
    edges: [...startEdges, ...edges.map(parseEdge)],
  };
}

function parseEdge(text: string): FlowEdge {
  const [source = '', port = '', target] = text.split(' ');
  return target === undefined ? { source, target: port } : { source, port, target };
}
