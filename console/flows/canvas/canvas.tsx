import { Alert } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useEditing } from '../editor/editor-context.ts';
import {
  addNode,
  connectPort,
  deleteNodes,
  disconnectPort,
  placeNodes,
  getPort,
  findAddRefusal,
} from '../graph/edit-graph.ts';
import { layOutSteps, findPositions } from '../graph/layout.ts';
import { addable, getNodeKind, listPorts } from '../kinds/node-kinds.ts';
import { listFollowedEdges } from '../trial/use-trial.ts';
import type { CanvasProps } from './canvas-props.ts';

/**
 * Canvas that draws the flow. Its script is loaded on first use; the list of steps works without this script.
 */
const DrawnCanvas = lazy(async () => {
  try {
    return { default: (await import('./drawn-canvas.tsx')).DrawnCanvas };
  } catch {
    return { default: CanvasFailure };
  }
});

/** Canvas on which the user edits the flow. */
export function Canvas() {
  const props = useCanvasProps();
  return (
    <section className="flow-canvas" aria-label="Canvas">
      <Suspense fallback={<CanvasSkeleton />}>
        <div className="flow-canvas-host">
          <DrawnCanvas {...props} />
        </div>
      </Suspense>
    </section>
  );
}

function CanvasSkeleton() {
  return (
    <p className="hint" role="status">
      Loading the canvas…
    </p>
  );
}

function CanvasFailure(_: CanvasProps) {
  return <Alert color="red">The canvas can't be loaded. Reload the page, or use the list of steps.</Alert>;
}

function useCanvasProps(): CanvasProps {
  const { editor, trial } = useEditing();
  const { draft, selected, faults, changeGraph } = editor;
  const { graph } = draft;
  const positions = findPositions(graph);
  return {
    steps: graph.nodes.map((node) => {
      const { title, summary } = getNodeKind(node);
      return {
        id: node.id,
        type: node.type,
        title,
        about: summary(node.data),
        position: positions.get(node.id)!,
        ports: listPorts(node),
        isStart: node.type === 'start',
        isSelected: node.id === selected,
        isVisited: trial.visits.has(node.id),
        isWaiting: trial.waitingAt === node.id,
        problems: faults.filter(({ nodeId }) => nodeId === node.id).map(({ message }) => message),
      };
    }),
    edges: graph.edges.map((edge) => ({ ...edge, port: getPort(edge) })),
    followed: trial.result === null ? new Set() : listFollowedEdges(trial.result),
    isReadOnly: editor.isReadOnly,
    addable,
    addRefusal: findAddRefusal(graph),
    onSelect: editor.select,
    // Also save the computed positions of steps without a stored position, so that later changes do not move
    // these steps.
    onMove: (moved) => changeGraph((now) => placeNodes(now, new Map([...findPositions(now), ...moved]))),
    onConnect: (edge) => changeGraph((now) => connectPort(now, edge)),
    onDisconnect: (edges) =>
      changeGraph((now) => edges.reduce((less, { source, port }) => disconnectPort(less, source, port), now)),
    onDelete: (ids) => changeGraph((now) => deleteNodes(now, ids)),
    onAdd: (type, position) => {
      const { graph: now, id } = addNode(placeNodes(graph, findPositions(graph)), type, {
        x: Math.round(position.x),
        y: Math.round(position.y),
      });
      changeGraph(() => now);
      editor.select(id);
    },
    onTidy: () => changeGraph((now) => placeNodes(now, layOutSteps(now))),
  };
}
