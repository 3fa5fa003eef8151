import { MAX_DETAILS, type ErrorDetail } from '../errors/errors.ts';
import { formatSize } from '../text/size-text.ts';
import { graphBounds, OUT, type FlowEdge, type FlowGraph, type FlowNode } from './flow-graph.ts';
import { findStepErrors, createGraphFault, createNodeFault, findGraphErrors } from './graph-schema.ts';
import type { RequiredFeature } from './node-type.ts';
import { nodeTypes } from './node-types.ts';
import { listUnknownPaths } from './templates.ts';

type IndexedNode = { node: FlowNode; at: number };

/** Lists the errors that prevent a flow's graph from being saved. */
export function listGraphErrors(graph: unknown): ErrorDetail[] {
  if (Buffer.byteLength(JSON.stringify(graph)) > graphBounds.bytes)
    return [createGraphFault([], `must have at most ${formatSize(graphBounds.bytes)} as JSON`, 'size')];
  const outline = findGraphErrors(graph);
  if (outline.length > 0) return outline;
  const { nodes, edges } = graph as FlowGraph;
  const faults = takeFirst(listNodeErrors(nodes));
  // Check edges only once the data of all steps is valid, because the ports of a step depend on its data.
  return faults.length > 0 ? faults : takeFirst(listEdgeErrors(nodes, edges));
}

/**
 * Takes the first validation errors, one more than a response lists. Listing thousands of errors would take
 * too long.
 */
function takeFirst(faults: Iterable<ErrorDetail>): ErrorDetail[] {
  const first: ErrorDetail[] = [];
  for (const fault of faults) if (first.push(fault) > MAX_DETAILS) break;
  return first;
}

function* listNodeErrors(nodes: readonly FlowNode[]): Generator<ErrorDetail> {
  yield* listIdErrors(nodes);
  for (const [at, node] of nodes.entries()) yield* listDataErrors(node, at);
  yield* listStartErrors(nodes);
}

function listIdErrors(nodes: readonly FlowNode[]): ErrorDetail[] {
  const seenIds = new Set<string>();
  return nodes.flatMap(({ id }, at) => {
    const isDuplicate = seenIds.has(id);
    seenIds.add(id);
    return isDuplicate
      ? [createGraphFault(['nodes', at, 'id'], `Node "${id}": its id must not occur twice`)]
      : [];
  });
}

function listDataErrors(node: FlowNode, at: number): ErrorDetail[] {
  const { schema, faults, templates } = nodeTypes[node.type];
  const nodePlace = { id: node.id, at };
  const schemaErrors = findStepErrors(schema, { ...nodePlace, data: node.data });
  if (schemaErrors.length > 0) return schemaErrors;
  const data = node.data as never;
  return [
    ...(faults?.(data) ?? []).map(({ path, message }) => createNodeFault(nodePlace, path, message)),
    ...templates(data).flatMap(({ path, text }) =>
      listUnknownPaths(text).map((name) =>
        createNodeFault(nodePlace, path, `uses {{${name.slice(0, 60)}}}, which is not a valid path`),
      ),
    ),
  ];
}

function listStartErrors(nodes: readonly FlowNode[]): ErrorDetail[] {
  const starts = nodes.flatMap(({ type, id }, at) => (type === 'start' ? [{ id, at }] : []));
  if (starts.length === 0) return [createGraphFault(['nodes'], 'must have a start node')];
  if (starts.length === 1) return [];
  return starts.map(({ id, at }) =>
    createGraphFault(
      ['nodes', at, 'type'],
      `Node "${id}": there must be exactly one start, but there are ${starts.length}`,
    ),
  );
}

function listEdgeErrors(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): ErrorDetail[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const portsByNode = new Map(nodes.map((node) => [node.id, listNodePorts(node)]));
  const usedPorts = new Set<string>();
  return edges.flatMap(({ source, port = OUT, target }, at) => {
    const fault = (field: string, message: string) => [createGraphFault(['edges', at, field], message)];
    const ports = portsByNode.get(source);
    if (!ports) return fault('source', `There is no node "${source}"`);
    const to = byId.get(target);
    if (!to) return fault('target', `Node "${source}": leads to "${target}", which does not exist`);
    if (to.type === 'start') return fault('target', `Node "${source}": must not lead to the start`);
    if (!ports.has(port)) return fault('port', `Node "${source}": has no port "${port}"`);
    const portKey = `${source} ${port}`;
    if (usedPorts.has(portKey)) return fault('port', `Node "${source}": port "${port}" leads to two nodes`);
    usedPorts.add(portKey);
    return [];
  });
}

function listNodePorts({ type, data }: FlowNode): Set<string> {
  return new Set(nodeTypes[type].ports(data as never));
}

/** Facts outside of a flow's graph that decide whether the flow can run. */
export interface FlowEnvironment {
  enabledFeatures: ReadonlySet<RequiredFeature>;
  /** Ids of the bot's other flows, to which a step may jump. */
  flowIds: ReadonlySet<string>;
}

/**
 * Lists the errors that prevent a saved flow graph from running, such as a step whose feature the bot has
 * disabled.
 */
export function listRunErrors(
  graph: FlowGraph,
  { enabledFeatures, flowIds }: FlowEnvironment,
): ErrorDetail[] {
  const reached = findReachableNodes(graph);
  const connectedPorts = new Set(graph.edges.map(({ source, port = OUT }) => `${source} ${port}`));
  const ids = new Set(graph.nodes.map(({ id }) => id));
  return graph.nodes
    .flatMap((node, at) => [
      ...(reached.has(node.id)
        ? []
        : [createNodeFault({ id: node.id, at }, [], 'cannot be reached from the start')]),
      ...findEmptyTexts({ node, at }),
      ...findUnconnectedPorts({ node, at }, connectedPorts),
      ...findBrokenJumps({ node, at }, ids, flowIds),
      ...findMissingFeature({ node, at }, enabledFeatures),
    ])
    .slice(0, MAX_DETAILS + 1);
}

function findReachableNodes({ nodes, edges }: FlowGraph): Set<string> {
  const next = new Map<string, string[]>();
  const addEdge = (from: string, to: string) => void next.set(from, [...(next.get(from) ?? []), to]);
  for (const { source, target } of edges) addEdge(source, target);
  for (const { id, type, data } of nodes)
    if (type === 'jump' && typeof data['node'] === 'string') addEdge(id, data['node']);
  const reached = new Set<string>();
  const open = nodes.filter(({ type }) => type === 'start').map(({ id }) => id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...(next.get(id) ?? []));
  }
  return reached;
}

function findEmptyTexts({ node, at }: IndexedNode): ErrorDetail[] {
  const texts = nodeTypes[node.type].listRequiredTexts?.(node.data as never) ?? [];
  return texts
    .filter(({ text }) => text.trim() === '')
    .map(({ path }) => createNodeFault({ id: node.id, at }, path, 'must not be empty'));
}

function findUnconnectedPorts({ node, at }: IndexedNode, wired: ReadonlySet<string>): ErrorDetail[] {
  return nodeTypes[node.type]
    .listRequiredPorts(node.data as never)
    .filter((ports) => !ports.some((port) => wired.has(`${node.id} ${port}`)))
    .map(([port]) => createNodeFault({ id: node.id, at }, [], `port "${port}" is not connected`));
}

function findBrokenJumps(
  { node, at }: IndexedNode,
  ids: ReadonlySet<string>,
  flowIds: ReadonlySet<string>,
): ErrorDetail[] {
  if (node.type !== 'jump') return [];
  const { node: target, flow_id: flowId } = node.data as { node?: string; flow_id?: string };
  const nodePlace = { id: node.id, at };
  if (target !== undefined && !ids.has(target))
    return [createNodeFault(nodePlace, ['node'], `is "${target}", which does not exist`)];
  if (flowId !== undefined && !flowIds.has(flowId.toLowerCase()))
    return [createNodeFault(nodePlace, ['flow_id'], 'is not a flow of this bot')];
  return [];
}

const needed: Record<RequiredFeature, string> = {
  handoff: 'needs handoff_enabled',
  lead_form: 'needs lead_capture_config with enabled: true',
  directory: 'needs directory_config with enabled: true',
  calendar: 'needs a calendar, which is not connected',
};

function findMissingFeature({ node, at }: IndexedNode, has: ReadonlySet<RequiredFeature>): ErrorDetail[] {
  const { need } = nodeTypes[node.type];
  return need && !has.has(need) ? [createNodeFault({ id: node.id, at }, [], needed[need])] : [];
}
