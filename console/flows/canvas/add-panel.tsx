import { Button, Menu } from '@mantine/core';
import { useReactFlow, useStoreApi } from '@xyflow/react';
import { IconPlus } from '../../shell/icons.ts';
import type { FlowNodeType } from '../graph/flow-draft.ts';
import { KindIcon } from '../kinds/kind-icon.tsx';
import { nodeKinds } from '../kinds/node-kinds.ts';
import type { CanvasProps } from './canvas-props.ts';

/** Typical width and height in pixels of a flow's step on the canvas. */
const NODE = { width: 220, height: 120 };

/**
 * Menu that adds a step to the flow in the middle of the visible part of the canvas, or below any steps in
 * that place.
 */
export function AddPanel({
  addable,
  addRefusal,
  onAdd,
}: Pick<CanvasProps, 'addable' | 'addRefusal' | 'onAdd'>) {
  const { screenToFlowPosition, getIntersectingNodes } = useReactFlow();
  const store = useStoreApi();
  const addAtCenter = (type: FlowNodeType): void => {
    const box = store.getState().domNode?.getBoundingClientRect();
    if (!box) return;
    const middle = screenToFlowPosition({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
    const position = { x: middle.x - NODE.width / 2, y: middle.y - NODE.height / 2 };
    while (getIntersectingNodes({ ...position, ...NODE }).length > 0) position.y += NODE.height;
    onAdd(type, position);
  };
  if (addRefusal !== null) return <span className="hint">{addRefusal}</span>;
  return (
    <Menu position="bottom-start" width={320}>
      <Menu.Target>
        <Button leftSection={<IconPlus />}>Add step</Button>
      </Menu.Target>
      <Menu.Dropdown className="step-menu">
        {addable.map(([type, name]) => (
          <Menu.Item
            key={type}
            leftSection={<KindIcon type={type} />}
            aria-label={name}
            onClick={() => addAtCenter(type)}
          >
            <strong>{name}</strong>
            <span className="step-menu-about">{nodeKinds[type].description}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
