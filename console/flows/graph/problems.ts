import type { FlowGraph, FlowNode } from './flow-draft.ts';

/** What the API says is wrong with a flow. */
export interface Fault {
  /** The step; null for the flow as a whole. */
  nodeId: string | null;
  /** The field of its data, as `options[1].label`; empty for the step as a whole. */
  path: string;
  /** For people. */
  message: string;
}

/** What was said of a graph, which may have changed since. */
export interface Findings {
  graph: FlowGraph;
  faults: readonly Fault[];
}

const AT_NODE = /^graph\.nodes\[(\d+)\](?:\.(?:data\.)?(.*))?$/;
const AT_EDGE = /^graph\.edges\[(\d+)\]/;

/** @param details of a refusal */
export function faultsOf(
  details: readonly { field: string; message: string }[],
  { nodes, edges }: FlowGraph,
): Fault[] {
  return details
    .filter(({ field }) => field === 'graph' || /^graph[.[]/.test(field))
    .map(({ field, message }) => {
      const [, at, path = ''] = AT_NODE.exec(field) ?? [];
      if (at !== undefined)
        return {
          nodeId: nodes[Number(at)]?.id ?? null,
          path: path === 'data' ? '' : path,
          message: sentence(message),
        };
      const [, edge] = AT_EDGE.exec(field) ?? [];
      return { nodeId: edges[Number(edge)]?.source ?? null, path: '', message: sentence(message) };
    });
}

/** Without the name of the node, which stands beside it. */
function sentence(message: string): string {
  const text = message.replace(/^Node "[^"]*": /, '').replace(/\.$/, '');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** What is still to be told: not of steps that were changed since, nor of what leads on from them. */
export function presentFaults({ graph: then, faults }: Findings, now: FlowGraph): Fault[] {
  if (then === now) return [...faults];
  return faults.filter(({ nodeId }) => {
    if (nodeId === null) return then.nodes.length === now.nodes.length;
    const [before, after] = [nodeIn(then, nodeId), nodeIn(now, nodeId)];
    return (
      before !== undefined && before.data === after?.data && waysOf(then, nodeId) === waysOf(now, nodeId)
    );
  });
}

function nodeIn({ nodes }: FlowGraph, id: string): FlowNode | undefined {
  return nodes.find((node) => node.id === id);
}

function waysOf({ edges }: FlowGraph, id: string): string {
  return edges
    .filter(({ source, target }) => source === id || target === id)
    .map(({ source, port = 'out', target }) => `${source} ${port} ${target}`)
    .toSorted()
    .join('\n');
}
