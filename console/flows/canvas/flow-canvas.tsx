import { Button } from '@mantine/core';
import { Background, Controls, MarkerType, Panel, ReactFlow, type Edge } from '@xyflow/react';
import { AddPanel } from './add-panel.tsx';
import type { CanvasProps } from './canvas-props.ts';
import type { DrawnNode } from './drawn-node.ts';
import { StepNode } from './step-node.tsx';
import { useDrawnNodes } from './use-drawn-nodes.ts';
import { useDrawnEdges } from './use-drawn-edges.ts';
import { fitting, useFit } from './use-fit.ts';

const nodeTypes = { step: StepNode };
const unattributed = { hideAttribution: true };
const DELETING = ['Delete', 'Backspace'];

/** Draws the steps of a flow as boxes, with a line from each output of a step to the next step. */
export function FlowCanvas(props: CanvasProps) {
  const { isReadOnly, onConnect, onDisconnect, onDelete, onTidy, steps } = props;
  const nodes = useDrawnNodes(props);
  const edges = useDrawnEdges(props);
  useFit();
  const starts = new Set(steps.filter(({ isStart }) => isStart).map(({ id }) => id));
  return (
    <ReactFlow<DrawnNode, Edge>
      {...nodes}
      {...edges}
      nodeTypes={nodeTypes}
      proOptions={unattributed}
      minZoom={0.15}
      maxZoom={1.5}
      nodesDraggable={!isReadOnly}
      nodesConnectable={!isReadOnly}
      deleteKeyCode={isReadOnly ? null : DELETING}
      isValidConnection={({ target }) => !starts.has(target)}
      onConnect={({ source, sourceHandle, target }) =>
        onConnect({ source, port: sourceHandle ?? 'out', target })
      }
      onBeforeDelete={async (deleted) => ({
        ...deleted,
        nodes: deleted.nodes.filter(({ id }) => !starts.has(id)),
      })}
      onDelete={(deleted) => {
        const ids = new Set(deleted.nodes.map(({ id }) => id));
        const loose = deleted.edges.filter(({ source, target }) => !ids.has(source) && !ids.has(target));
        if (ids.size > 0) onDelete([...ids]);
        if (loose.length > 0)
          onDisconnect(
            loose.map(({ source, sourceHandle, target }) => ({ source, port: sourceHandle!, target })),
          );
      }}
      defaultEdgeOptions={{ markerEnd: { type: MarkerType.ArrowClosed } }}
    >
      <Background />
      <Controls showInteractive={false} fitViewOptions={fitting} />
      {!isReadOnly && (
        <Panel position="top-left">
          <AddPanel {...props} />
        </Panel>
      )}
      {!isReadOnly && (
        <Panel position="bottom-right">
          <Button variant="default" onClick={onTidy}>
            Auto-layout
          </Button>
        </Panel>
      )}
    </ReactFlow>
  );
}
