import { createNodeData, hasPort, listPorts } from '../kinds/node-kinds.ts';
import { mapRenamedPorts } from './map-renamed-ports.ts';
import type { FlowEdge, FlowGraph, FlowNode, FlowNodeType, NodeData } from './flow-draft.ts';

const OUT = 'out';
const MAX_NODES = 100;

export interface StepPosition {
  x: number;
  y: number;
}

export function findNode({ nodes }: FlowGraph, id: string | null): FlowNode | undefined {
  return nodes.find((node) => node.id === id);
}

export function getPort({ port = OUT }: FlowEdge): string {
  return port;
}

/**
 * Returns the id of the step to which an output of a flow's step leads; null if the output is not connected.
 */
export function findTarget({ edges }: FlowGraph, source: string, port: string): string | null {
  return edges.find((edge) => edge.source === source && getPort(edge) === port)?.target ?? null;
}

/** Returns the reason why the user cannot add another step to the flow; null if the user can. */
export function findAddRefusal({ nodes }: FlowGraph): string | null {
  return nodes.length < MAX_NODES ? null : `A flow can have at most ${MAX_NODES} steps.`;
}

/** Returns an unused id for a flow's new step, derived from the step's type. */
function findFreeNodeId({ nodes }: FlowGraph, type: string): string {
  const usedIds = new Set(nodes.map(({ id }) => id));
  if (!usedIds.has(type)) return type;
  for (let number = 2; ; number += 1) if (!usedIds.has(`${type}_${number}`)) return `${type}_${number}`;
}

export interface AddedNode {
  graph: FlowGraph;
  id: string;
}

/** Adds a step without connections at the end of a flow's list of steps. */
export function addNode(graph: FlowGraph, type: FlowNodeType, position?: StepPosition): AddedNode {
  const id = findFreeNodeId(graph, type);
  const node: FlowNode = { id, type, ...(position && { position }), data: createNodeData(type) };
  return { id, graph: { ...graph, nodes: [...graph.nodes, node] } };
}

/**
 * Adds a step after another step, connected to the first free output of that step. If no output is free,
 * inserts the new step between the first output and its target.
 */
export function addNodeAfter(graph: FlowGraph, afterId: string, type: FlowNodeType): AddedNode {
  const at = graph.nodes.findIndex(({ id }) => id === afterId);
  const after = graph.nodes[at];
  if (after === undefined) return addNode(graph, type);
  const id = findFreeNodeId(graph, type);
  const position = after.position && findFreePosition(graph, after.position);
  const node: FlowNode = { id, type, ...(position && { position }), data: createNodeData(type) };
  const added = { ...graph, nodes: graph.nodes.toSpliced(at + 1, 0, node) };
  const from = findFreePort(graph, after) ?? listPorts(after)[0]?.id;
  if (from === undefined) return { id, graph: added };
  const before = findTarget(graph, afterId, from);
  const [onward] = listPorts(node);
  const connected = connectPort(added, { source: afterId, port: from, target: id });
  if (before === null || onward === undefined) return { id, graph: connected };
  return { id, graph: connectPort(connected, { source: id, port: onward.id, target: before }) };
}

/** Returns the nearest position to the right on the canvas at which no other step lies. */
function findFreePosition({ nodes }: FlowGraph, { x, y }: StepPosition): StepPosition {
  const place = { x: x + 310, y };
  const isTaken = (): boolean =>
    nodes.some(
      ({ position }) =>
        position && Math.abs(position.x - place.x) < 240 && Math.abs(position.y - place.y) < 120,
    );
  while (isTaken()) place.y += 160;
  return place;
}

/** Returns the id of the first output of a flow's step that is not connected. */
function findFreePort(graph: FlowGraph, node: FlowNode): string | undefined {
  return listPorts(node).find(({ id }) => findTarget(graph, node.id, id) === null)?.id;
}

/**
 * Deletes steps of a flow, and the connections from and to them. Keeps the start step, which every flow
 * needs.
 */
export function deleteNodes(graph: FlowGraph, ids: readonly string[]): FlowGraph {
  const removedIds = new Set(
    ids.filter((id) => findNode(graph, id) && findNode(graph, id)?.type !== 'start'),
  );
  if (removedIds.size === 0) return graph;
  return {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !removedIds.has(id)),
    edges: graph.edges.filter(({ source, target }) => !removedIds.has(source) && !removedIds.has(target)),
  };
}

/**
 * Changes the id of a flow's step, and all references to this id in other steps. Removes the step's secrets,
 * which the API stores under the old id.
 */
export function renameNode(graph: FlowGraph, from: string, to: string): FlowGraph {
  if (from === to || findNode(graph, to)) return graph;
  const rename = (id: string): string => (id === from ? to : id);
  return {
    ...graph,
    nodes: graph.nodes.map((node) => {
      if (node.id === from) return { ...node, id: to, data: dropStoredSecrets(node.data) };
      return node.type === 'jump' && node.data['node'] === from
        ? { ...node, data: { ...node.data, node: to } }
        : node;
    }),
    edges: graph.edges.map((edge) => ({
      ...edge,
      source: rename(edge.source),
      target: rename(edge.target),
    })),
  };
}

function dropStoredSecrets(data: NodeData): NodeData {
  const { headers } = data;
  if (!Array.isArray(headers)) return data;
  return { ...data, headers: headers.map(({ has_value: _, ...header }: NodeData) => header) };
}

/**
 * Replaces the data of a flow's step. Connections of options whose ids changed stay; connections of removed
 * options are deleted.
 */
export function setNodeData(graph: FlowGraph, id: string, data: NodeData): FlowGraph {
  const node = findNode(graph, id);
  if (node === undefined || node.data === data) return graph;
  const changed = { ...node, data };
  const ports = mapRenamedPorts(node, changed);
  const edges = graph.edges
    .map((edge) => (edge.source === id ? withPort(edge, ports.get(getPort(edge)) ?? getPort(edge)) : edge))
    .filter((edge) => edge.source !== id || hasPort(changed, getPort(edge)));
  return { ...graph, nodes: graph.nodes.map((each) => (each === node ? changed : each)), edges };
}

function withPort(edge: FlowEdge, port: string): FlowEdge {
  return getPort(edge) === port ? edge : { ...edge, port };
}

/**
 * Connects an output of a step to another step, instead of its previous target. Ignores the start step as a
 * target.
 */
export function connectPort(graph: FlowGraph, { source, port = OUT, target }: FlowEdge): FlowGraph {
  if (!findNode(graph, source) || !findNode(graph, target) || findNode(graph, target)?.type === 'start')
    return graph;
  if (findTarget(graph, source, port) === target) return graph;
  const { edges } = disconnectPort(graph, source, port);
  return { ...graph, edges: [...edges, { source, port, target }] };
}

export function disconnectPort(graph: FlowGraph, source: string, port: string): FlowGraph {
  const edges = graph.edges.filter((edge) => edge.source !== source || getPort(edge) !== port);
  return edges.length === graph.edges.length ? graph : { ...graph, edges };
}

/** Moves a step up or down by one in the flow's list of steps. */
export function moveNode(graph: FlowGraph, id: string, by: -1 | 1): FlowGraph {
  const at = graph.nodes.findIndex((node) => node.id === id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= graph.nodes.length) return graph;
  return { ...graph, nodes: graph.nodes.toSpliced(at, 1).toSpliced(to, 0, graph.nodes[at]!) };
}

/** Sets the positions of a flow's steps on the canvas. */
export function placeNodes(graph: FlowGraph, positions: ReadonlyMap<string, StepPosition>): FlowGraph {
  const nodes = graph.nodes.map((node) => {
    const place = positions.get(node.id);
    if (!place || (node.position?.x === place.x && node.position.y === place.y)) return node;
    return { ...node, position: { x: Math.round(place.x), y: Math.round(place.y) } };
  });
  return nodes.every((node, at) => node === graph.nodes[at]) ? graph : { ...graph, nodes };
}
