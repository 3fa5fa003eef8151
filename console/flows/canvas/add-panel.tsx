import { Button } from '@mantine/core';
import { useState } from 'react';
import { useReactFlow, useStoreApi } from '@xyflow/react';
import type { FlowNodeType } from '../graph/flow-draft.ts';
import type { CanvasProps } from './canvas-props.ts';

/** Panel that adds a step at the centre of the visible part of the canvas. */
export function AddPanel({
  addable,
  addRefusal,
  onAdd,
}: Pick<CanvasProps, 'addable' | 'addRefusal' | 'onAdd'>) {
  const { screenToFlowPosition } = useReactFlow();
  const store = useStoreApi();
  const [type, setType] = useState<FlowNodeType>('message');
  const addAtCenter = (): void => {
    const box = store.getState().domNode?.getBoundingClientRect();
    if (!box || addRefusal !== null) return;
    const middle = screenToFlowPosition({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
    onAdd(type, { x: middle.x - 110, y: middle.y - 40 });
  };
  return (
    <div className="row">
      <select
        aria-label="Step type"
        value={type}
        onChange={({ currentTarget }) => setType(currentTarget.value as FlowNodeType)}
      >
        {addable.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
      <Button variant="default" aria-disabled={addRefusal !== null} onClick={addAtCenter}>
        Add a step
      </Button>
      {addRefusal !== null && <span className="hint">{addRefusal}</span>}
    </div>
  );
}
