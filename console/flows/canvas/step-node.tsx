import { useEffect } from 'react';
import { Handle, Position, useUpdateNodeInternals, type NodeProps } from '@xyflow/react';
import { KindIcon } from '../kinds/kind-icon.tsx';
import type { DrawnNode } from './drawn-node.ts';

/** Draws a step of a flow on the canvas, with its input on the left and its outputs on the right. */
export function StepNode({ id, data, selected }: NodeProps<DrawnNode>) {
  const { type, title, about, ports, isStart, isVisited, isWaiting, problems } = data;
  const update = useUpdateNodeInternals();
  const portIds = ports.map((port) => port.id).join(' ');
  useEffect(() => update(id), [id, portIds]);
  const states = [
    selected && 'selected',
    isVisited && 'visited',
    isWaiting && 'waiting',
    problems.length > 0 && 'faulty',
  ];
  return (
    <div className={['flow-node', ...states.filter(Boolean)].join(' ')}>
      {!isStart && <Handle type="target" position={Position.Left} />}
      <p className="flow-node-head">
        <KindIcon type={type} />
        <strong>{title}</strong> <span className="hint">{id}</span>
      </p>
      {about !== '' && (
        <p className="flow-node-about" dir="auto">
          {about}
        </p>
      )}
      {problems.map((problem) => (
        <p key={problem} className="field-problem">
          {problem}
        </p>
      ))}
      <ul>
        {ports.map((port) => (
          <li key={port.id}>
            <span dir="auto">{port.label}</span>
            <Handle type="source" position={Position.Right} id={port.id} title={port.label} />
          </li>
        ))}
      </ul>
    </div>
  );
}
