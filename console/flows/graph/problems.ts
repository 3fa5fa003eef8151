import { capitalize } from '../../components/text/capitalize.ts';
import { listPorts } from '../kinds/node-kinds.ts';
import { findNode } from './edit-graph.ts';
import type { FlowGraph, FlowNode } from './flow-draft.ts';

/** An error that the API found in a flow. */
export interface Fault {
  /** Id of the step with the error; null if the error concerns the whole flow. */
  nodeId: string | null;
  /**
   * Path of the field with the error in the step's data, such as `options[1].label`; empty for the whole
   * step.
   */
  path: string;
  /** Error message for the user. */
  message: string;
}

/**
 * Errors that the API found in a flow, with the graph that the API checked. The graph may have changed since
 * the check.
 */
export interface Findings {
  graph: FlowGraph;
  faults: readonly Fault[];
}

const AT_NODE = /^graph\.nodes\[(\d+)\](?:\.(?:data\.)?(.*))?$/;
const AT_EDGE = /^graph\.edges\[(\d+)\]/;

/** Converts the details of an API error to errors of the flow's steps. */
export function toFaults(
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
        message: rewriteMessage(message, node),
      };
    });
}

const inSettings: Readonly<Record<string, string>> = {
  'needs handoff_enabled': "Turn on “Allow handoff to a human” in the bot's settings first.",
  'needs lead_capture_config with enabled: true':
    "Turn on “Collect contact details” in the bot's settings first.",
};

/**
 * Adapts an error message of the API about a flow to the console. Removes the name of the step, which is
 * shown next to it, and uses the labels of outputs and settings.
 */
function rewriteMessage(message: string, node: FlowNode | undefined): string {
  const text = message.replace(/^Node "[^"]*": /, '').replace(/\.$/, '');
  const known = inSettings[text];
  if (known !== undefined) return known;
  const named = text.replace(/^port "([^"]*)" leads/, (whole, port: string) => {
    const label = node && listPorts(node).find(({ id }) => id === port)?.label;
    return label === undefined ? whole : `“${label}” leads`;
  });
  return `${capitalize(named)}.`;
}

/**
 * Returns the errors of the flow that may still be correct. Drops errors of steps whose data or connections
 * have changed since the check.
 */
export function filterCurrentFaults({ graph: then, faults }: Findings, now: FlowGraph): Fault[] {
  if (then === now) return [...faults];
  return faults.filter(({ nodeId }) => {
    if (nodeId === null) return then.nodes.length === now.nodes.length;
    const [before, after] = [findNode(then, nodeId), findNode(now, nodeId)];
    return (
      before !== undefined &&
      before.data === after?.data &&
      serializeEdges(then, nodeId) === serializeEdges(now, nodeId)
    );
  });
}

function serializeEdges({ edges }: FlowGraph, id: string): string {
  return edges
    .filter(({ source, target }) => source === id || target === id)
    .map(({ source, port = 'out', target }) => `${source} ${port} ${target}`)
    .toSorted()
    .join('\n');
}
