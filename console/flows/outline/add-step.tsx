import { Button } from '@mantine/core';
import { useState } from 'react';
import { SelectField } from '../../components/forms/fields.tsx';
import { useEditing } from '../editor/editor-context.ts';
import { addNode, addNodeAfter, findAddRefusal } from '../graph/edit-graph.ts';
import type { FlowNodeType } from '../graph/flow-draft.ts';
import { addable } from '../kinds/node-kinds.ts';

export interface AddStepProps {
  label: string;
  /** Id of the step after which the new step is added; undefined to add an unconnected step. */
  afterId?: string;
}

/**
 * Select field and button that add a step of the selected type to the flow. The new step becomes selected.
 */
export function AddStep({ label, afterId }: AddStepProps) {
  const { editor } = useEditing();
  const [type, setType] = useState<FlowNodeType>('message');
  const refusal = findAddRefusal(editor.draft.graph);
  const addStep = (): void => {
    if (refusal !== null) return;
    const { graph } = editor.draft;
    const added = afterId === undefined ? addNode(graph, type) : addNodeAfter(graph, afterId, type);
    editor.changeGraph(() => added.graph);
    editor.select(added.id);
  };
  return (
    <div className="row from-bottom">
      <SelectField label={label} value={type} options={addable} onChange={(chosen) => setType(chosen)} />
      <Button variant="default" aria-disabled={refusal !== null} onClick={addStep}>
        Add
      </Button>
      {refusal !== null && <span className="hint">{refusal}</span>}
    </div>
  );
}
