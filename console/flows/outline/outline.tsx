import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useEditing } from '../editor/editor-context.ts';
import { sortInWalkOrder } from '../graph/layout.ts';
import { getNodeLabel } from '../kinds/node-kinds.ts';
import { AddStep } from './add-step.tsx';
import { StepCard } from './step-card.tsx';
import { TargetsContext } from './target-input.tsx';

/**
 * Editor that shows the flow as a list of steps. The list can do everything that the canvas can, also by
 * keyboard.
 */
export function Outline({ flows }: { flows: readonly (readonly [id: string, name: string])[] }) {
  const { editor } = useEditing();
  const { nodes } = editor.draft.graph;
  const targets = useMemo(
    () => ({
      steps: nodes
        .filter(({ type }) => type !== 'start')
        .map((node) => [node.id, getNodeLabel(node)] as const),
      flows,
    }),
    [nodes, flows],
  );
  return (
    <TargetsContext.Provider value={targets}>
      <ol className="flow-steps" aria-label="Steps">
        {nodes.map((node, at) => (
          <StepCard key={node.id} node={node} number={at + 1} />
        ))}
      </ol>
      {!editor.isReadOnly && (
        <>
          <AddStep label="Add step at the end" />
          <div className="row">
            <Button variant="default" onClick={() => editor.changeGraph(sortInWalkOrder)}>
              Sort steps
            </Button>
          </div>
        </>
      )}
    </TargetsContext.Provider>
  );
}
