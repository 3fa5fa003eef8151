import { useMemo, useState } from 'react';
import type { Edge, EdgeChange } from '@xyflow/react';
import type { CanvasProps } from './canvas-props.ts';

/** Returns the lines between a flow's steps for the xyflow library, and tracks which lines are selected. */
export function useDrawnEdges({ edges: graphEdges, followed }: CanvasProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const edges = useMemo(
    () =>
      graphEdges.map(({ source, port, target }): Edge => {
        const id = `${source} ${port}`;
        return {
          id,
          source,
          sourceHandle: port,
          target,
          className: followed.has(id) ? 'taken' : '',
          selected: chosen.has(id),
          domAttributes: { tabIndex: 0 },
          ariaLabel: `From ${source}, ${port}, to ${target}`,
        };
      }),
    [graphEdges, followed, chosen],
  );
  const onEdgesChange = (changes: EdgeChange[]): void => {
    const choices = changes.filter((change) => change.type === 'select');
    if (choices.length === 0) return;
    setChosen((before) => {
      const now = new Set(before);
      for (const { id, selected } of choices) {
        if (selected) now.add(id);
        else now.delete(id);
      }
      return now;
    });
  };
  return { edges, onEdgesChange };
}
