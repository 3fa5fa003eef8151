import { useEffect, useRef, useState } from 'preact/hooks';
import { useEditing } from '../editor/editor-context.ts';
import {
  addNode,
  connect,
  deleteNodes,
  disconnect,
  placeNodes,
  portOf,
  roomRefusal,
} from '../graph/edit-graph.ts';
import { layoutOf, placesOf } from '../graph/layout.ts';
import { addable, kindOf, portsOf } from '../kinds/node-kinds.ts';
import { waysTaken } from '../trial/use-trial.ts';
import type { CanvasProps, MountedCanvas } from './canvas-props.ts';

/** URL of the canvas script; defined by the build. */
declare const FLOW_CANVAS: string;

interface CanvasModule {
  mountCanvas(host: HTMLElement): MountedCanvas;
}

/** Canvas editor of the flow. Its script is loaded on demand, and bundles its own Preact. */
export function Canvas() {
  const props = useCanvasProps();
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const mounted = useRef<MountedCanvas | null>(null);
  const [state, setState] = useState<'loading' | 'failed' | 'there'>('loading');
  latest.current = props;
  useEffect(() => {
    let isGone = false;
    (import(FLOW_CANVAS) as Promise<CanvasModule>).then(
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
    <section class="flow-canvas" aria-label="Canvas">
      {state === 'loading' && (
        <p class="hint" role="status">
          Loading the canvas …
        </p>
      )}
      {state === 'failed' && (
        <p class="problem" role="alert">
          The canvas cannot be loaded. Reload the page; the list of steps has everything meanwhile.
        </p>
      )}
      <div ref={host} class="flow-canvas-host" />
    </section>
  );
}

function useCanvasProps(): CanvasProps {
  const { editor, trial } = useEditing();
  const { draft, selected, faults, changeGraph } = editor;
  const { graph } = draft;
  const places = placesOf(graph);
  return {
    steps: graph.nodes.map((node) => {
      const { title, summary } = kindOf(node);
      return {
        id: node.id,
        title,
        about: summary(node.data),
        place: places.get(node.id)!,
        ports: portsOf(node),
        isStart: node.type === 'start',
        isSelected: node.id === selected,
        isVisited: trial.visits.has(node.id),
        isWaiting: trial.waitingAt === node.id,
        problems: faults.filter(({ nodeId }) => nodeId === node.id).map(({ message }) => message),
      };
    }),
    edges: graph.edges.map((edge) => ({ ...edge, port: portOf(edge) })),
    taken: trial.result === null ? new Set() : waysTaken(trial.result),
    isReadOnly: editor.isReadOnly,
    addable,
    addRefusal: roomRefusal(graph),
    onSelect: editor.select,
    // Also save the automatic positions of unplaced steps, so that they do not move.
    onPlace: (moved) => changeGraph((now) => placeNodes(now, new Map([...placesOf(now), ...moved]))),
    onConnect: (edge) => changeGraph((now) => connect(now, edge)),
    onDisconnect: (edges) =>
      changeGraph((now) => edges.reduce((less, { source, port }) => disconnect(less, source, port), now)),
    onDelete: (ids) => changeGraph((now) => deleteNodes(now, ids)),
    onAdd: (type, place) => {
      const { graph: now, id } = addNode(placeNodes(graph, placesOf(graph)), type, {
        x: Math.round(place.x),
        y: Math.round(place.y),
      });
      changeGraph(() => now);
      editor.select(id);
    },
    onTidy: () => changeGraph((now) => placeNodes(now, layoutOf(now))),
  };
}
