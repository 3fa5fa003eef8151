import type { FlowGraph, FlowNode } from './flow-draft.ts';
import type { StepPosition } from './edit-graph.ts';
import { listPorts } from '../kinds/node-kinds.ts';

const COLUMN = 310;
const GAP = 40;
const HEAD = 105;
const PORT = 23;

/** Returns the ids of a flow's steps by their distance from the start step; unreachable steps come last. */
function getWalkOrder(graph: FlowGraph): string[] {
  const depths = computeDepths(graph);
  const index = new Map(graph.nodes.map(({ id }, at) => [id, at]));
  return graph.nodes
    .map(({ id }) => id)
    .sort((one, other) => depths.get(one)! - depths.get(other)! || index.get(one)! - index.get(other)!);
}

/** Sorts the list of a flow's steps by their distance from the start step. */
export function sortInWalkOrder(graph: FlowGraph): FlowGraph {
  const order = new Map(getWalkOrder(graph).map((id, at) => [id, at]));
  const nodes = graph.nodes.toSorted((one, other) => order.get(one.id)! - order.get(other.id)!);
  return nodes.every((node, at) => node === graph.nodes[at]) ? graph : { ...graph, nodes };
}

/**
 * Computes positions on the canvas for all steps of a flow, in columns from left to right. Each step is to
 * the right of the steps that lead to it.
 */
export function layOutSteps(graph: FlowGraph): Map<string, StepPosition> {
  const depths = computeDepths(graph);
  const columns: FlowNode[][] = [];
  for (const id of getWalkOrder(graph)) {
    const node = graph.nodes.find((each) => each.id === id)!;
    (columns[depths.get(id)!] ??= []).push(node);
  }
  const positions = new Map<string, StepPosition>();
  for (const [column, nodes] of columns.entries()) {
    const height = nodes.reduce((sum, node) => sum + estimateHeight(node) + GAP, -GAP);
    let y = -Math.round(height / 2);
    for (const node of nodes) {
      positions.set(node.id, { x: column * COLUMN, y });
      y += estimateHeight(node) + GAP;
    }
  }
  return positions;
}

/** Estimates the height of a step on the canvas, in pixels. */
function estimateHeight(node: FlowNode): number {
  return HEAD + PORT * listPorts(node).length;
}

/**
 * Returns the positions of all steps of a flow on the canvas. Steps without a stored position are placed in a
 * row below the other steps.
 */
export function findPositions(graph: FlowGraph): Map<string, StepPosition> {
  const placed = graph.nodes.filter(({ position }) => position !== undefined);
  if (placed.length === 0) return layOutSteps(graph);
  const lowest = Math.max(...placed.map((node) => node.position!.y + estimateHeight(node) + GAP));
  const left = Math.min(...placed.map(({ position }) => position!.x));
  let at = 0;
  return new Map(
    graph.nodes.map(({ id, position }) => [id, position ?? { x: left + COLUMN * at++, y: lowest }]),
  );
}

/**
 * Returns the canvas column of each step, to the right of the columns of all steps that lead to it. Ignores
 * connections that lead back; unreachable steps come last.
 */
function computeDepths(graph: FlowGraph): Map<string, number> {
  const next = mapSuccessors(graph);
  const order: string[] = [];
  const visiting = new Set<string>();
  const seenIds = new Set<string>();
  const targets = new Map<string, string[]>();
  const visit = (id: string): void => {
    seenIds.add(id);
    visiting.add(id);
    for (const to of next.get(id) ?? []) {
      if (visiting.has(to)) continue;
      targets.set(id, [...(targets.get(id) ?? []), to]);
      if (!seenIds.has(to)) visit(to);
    }
    visiting.delete(id);
    order.unshift(id);
  };
  const depths = new Map<string, number>();
  const visitRoots = (roots: readonly string[]): void => {
    const nextDepth = Math.max(-1, ...depths.values()) + 1;
    order.length = 0;
    for (const id of roots) if (!seenIds.has(id)) visit(id);
    const newDepths = new Map(order.map((id) => [id, nextDepth]));
    for (const id of order)
      for (const to of targets.get(id) ?? [])
        if (newDepths.has(to)) newDepths.set(to, Math.max(newDepths.get(to)!, newDepths.get(id)! + 1));
    for (const [id, depth] of newDepths) depths.set(id, depth);
  };
  const reachable = new Set([...next.values()].flat());
  const ids = graph.nodes.map(({ id }) => id);
  visitRoots(graph.nodes.filter(({ type }) => type === 'start').map(({ id }) => id));
  visitRoots(ids.filter((id) => !reachable.has(id)));
  visitRoots(ids);
  return depths;
}

function mapSuccessors({ nodes, edges }: FlowGraph): Map<string, string[]> {
  const ids = new Set(nodes.map(({ id }) => id));
  const jumps = nodes.flatMap(({ id, type, data }) =>
    type === 'jump' && typeof data['node'] === 'string' ? [{ source: id, target: data['node'] }] : [],
  );
  const next = new Map<string, string[]>();
  for (const { source, target } of [...edges, ...jumps])
    if (ids.has(source) && ids.has(target)) next.set(source, [...(next.get(source) ?? []), target]);
  return next;
}
