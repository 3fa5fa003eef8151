import { useEffect, useRef, useState } from 'react';
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
import { layOutSteps, findPlaces } from '../graph/layout.ts';
import { addable, getNodeKind, listPorts } from '../kinds/node-kinds.ts';
import { listFollowedEdges } from '../trial/use-trial.ts';
import type { CanvasProps, MountedCanvas } from './canvas-props.ts';

/**
 * Canvas on which the user edits the flow. Loads its script, which uses React, on demand.
 */
export function Canvas() {
  const props = useCanvasProps();
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const mounted = useRef<MountedCanvas | null>(null);
  const [state, setState] = useState<'loading' | 'failed' | 'there'>('loading');
  latest.current = props;
  useEffect(() => {
    let isGone = false;
    import('./mount-canvas.tsx').then(
      ({ mountCanvas }) => {
        if (isGone || host.current === null) return;
        mounted.current = mountCanvas(host.current);
        mounted.current.draw(latest.current);
        setState('there');
      },
      () => setState('failed'),
    );
    return () => {
      isGone = true;
      mounted.current?.close();
    };
  }, []);
  useEffect(() => mounted.current?.draw(props));
  return (
    <section className="flow-canvas" aria-label="Canvas">
      {state === 'loading' && (
        <p className="hint" role="status">
          Loading the canvas …
        </p>
      )}
      {state === 'failed' && (
        <p className="problem" role="alert">
          The canvas cannot be loaded. Reload the page; the list of steps has everything meanwhile.
        </p>
      )}
      <div ref={host} className="flow-canvas-host" />
    </section>
  );
}

function useCanvasProps(): CanvasProps {
  const { editor, trial } = useEditing();
  const { draft, selected, faults, changeGraph } = editor;
  const { graph } = draft;
  const places = findPlaces(graph);
  return {
    steps: graph.nodes.map((node) => {
      const { title, summary } = getNodeKind(node);
      return {
        id: node.id,
        title,
        about: summary(node.data),
        place: places.get(node.id)!,
        ports: listPorts(node),
        isStart: node.type === 'start',
        isSelected: node.id === selected,
        isVisited: trial.visits.has(node.id),
        isWaiting: trial.waitingAt === node.id,
        problems: faults.filter(({ nodeId }) => nodeId === node.id).map(({ message }) => message),
      };
    }),
    edges: graph.edges.map((edge) => ({ ...edge, port: getPort(edge) })),
    taken: trial.result === null ? new Set() : listFollowedEdges(trial.result),
    isReadOnly: editor.isReadOnly,
    addable,
    addRefusal: findAddRefusal(graph),
    onSelect: editor.select,
    // Also save the computed positions of steps without a stored one, so that later changes do not move these
    // steps.
    onPlace: (moved) => changeGraph((now) => placeNodes(now, new Map([...findPlaces(now), ...moved]))),
    onConnect: (edge) => changeGraph((now) => connectPort(now, edge)),
    onDisconnect: (edges) =>
      changeGraph((now) => edges.reduce((less, { source, port }) => disconnectPort(less, source, port), now)),
    onDelete: (ids) => changeGraph((now) => deleteNodes(now, ids)),
    onAdd: (type, place) => {
      const { graph: now, id } = addNode(placeNodes(graph, findPlaces(graph)), type, {
        x: Math.round(place.x),
        y: Math.round(place.y),
      });
      changeGraph(() => now);
      editor.select(id);
    },
    onTidy: () => changeGraph((now) => placeNodes(now, layOutSteps(now))),
  };
}
