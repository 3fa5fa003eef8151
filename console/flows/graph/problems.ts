import { portsOf } from '../kinds/node-kinds.ts';
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
      const [, edge] = AT_EDGE.exec(field) ?? [];
      const source = edges[Number(edge)]?.source;
      const node = at === undefined ? nodes.find(({ id }) => id === source) : nodes[Number(at)];
      return {
        nodeId: node?.id ?? null,
        path: path === 'data' ? '' : path,
        message: sentence(message, node),
      };
    });
}

const inSettings: Readonly<Record<string, string>> = {
  'needs handoff_enabled': 'Needs “Visitors can ask for a person”, which is off in the bot’s settings.',
  'needs lead_capture_config with enabled':
    'Needs “Ask visitors for contact details”, which is off in the bot’s settings.',
};

/** Without the name of the node, which stands beside it, and with what the console calls ports and settings. */
function sentence(message: string, node: FlowNode | undefined): string {
  const text = message.replace(/^Node "[^"]*": /, '').replace(/\.$/, '');
  const known = inSettings[text];
  if (known !== undefined) return known;
  const named = text.replace(/^port "([^"]*)" leads/, (whole, port: string) => {
    const label = node && portsOf(node).find(({ id }) => id === port)?.label;
    return label === undefined ? whole : `“${label}” leads`;
  });
  return `${named.slice(0, 1).toUpperCase()}${named.slice(1)}.`;
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
