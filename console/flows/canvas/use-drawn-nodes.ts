import { useMemo, useRef, useState } from 'react';
import type { NodeChange } from '@xyflow/react';
import type { StepPosition } from '../graph/edit-graph.ts';
import type { CanvasProps } from './canvas-props.ts';
import type { DrawnNode } from './drawn-node.ts';

type Sizes = ReadonlyMap<string, { width: number; height: number }>;

/**
 * Returns the steps of a flow for the xyflow library. Tracks what only the canvas knows: sizes, positions
 * while dragging, and selected steps.
 */
export function useDrawnNodes({ steps, onSelect, onMove }: CanvasProps) {
  const [sizes, setSizes] = useState<Sizes>(new Map());
  const [dragged, setDragged] = useState<ReadonlyMap<string, StepPosition>>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = steps.find(({ isSelected }) => isSelected)?.id ?? null;
  const before = useRef(selected);
  const reported = useRef(selected);
  let shown = chosen;
  if (before.current !== selected) {
    before.current = selected;
    if (reported.current !== selected) {
      // The user has changed the selection outside of the canvas, for example in the list of steps.
      reported.current = selected;
      shown = new Set(selected === null ? [] : [selected]);
      setChosen(shown);
    }
  }
  const nodes = useMemo(
    () =>
      steps.map((step): DrawnNode => {
        const size = sizes.get(step.id);
        return {
          id: step.id,
          type: 'step',
          position: dragged.get(step.id) ?? step.position,
          data: { ...step },
          selected: shown.has(step.id),
          deletable: !step.isStart,
          ariaLabel: `${step.title} ${step.id}`,
          ...(size && { measured: size }),
        };
      }),
    [steps, sizes, dragged, shown],
  );
  const onNodesChange = (changes: NodeChange<DrawnNode>[]): void => {
    const measured = changes.flatMap((change) =>
      change.type === 'dimensions' && change.dimensions ? [[change.id, change.dimensions] as const] : [],
    );
    if (measured.length > 0) setSizes((before) => new Map([...before, ...measured]));
    const moved = changes.flatMap((change) =>
      change.type === 'position' ? [[change.id, change] as const] : [],
    );
    if (moved.length > 0)
      moveNodes(
        moved.map(([id, { position }]) => [id, position] as const),
        moved.some(([, { dragging }]) => dragging),
      );
    const choices = changes.filter((change) => change.type === 'select');
    if (choices.length > 0)
      changeSelection(new Map(choices.map(({ id, selected: isChosen }) => [id, isChosen])));
  };
  const moveNodes = (
    moved: readonly (readonly [string, StepPosition | undefined])[],
    isDragging: boolean,
  ): void => {
    const known = moved.filter((move): move is readonly [string, StepPosition] => move[1] !== undefined);
    const positions = new Map([...dragged, ...known]);
    setDragged(isDragging ? positions : new Map());
    if (!isDragging && positions.size > 0) onMove(positions);
  };
  const changeSelection = (changed: ReadonlyMap<string, boolean>): void => {
    const now = new Set(shown);
    for (const [id, isChosen] of changed) {
      if (isChosen) now.add(id);
      else now.delete(id);
    }
    setChosen(now);
    const [only = null] = now;
    const next = now.size === 1 ? only : null;
    if (next === reported.current) return;
    reported.current = next;
    onSelect(next);
  };
  return { nodes, onNodesChange };
}
