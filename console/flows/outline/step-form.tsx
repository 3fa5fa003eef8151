import { Alert, Button } from '@mantine/core';
import type { Fault } from '../graph/problems.ts';
import { deleteNodes, moveNode, findNode, renameNode, setNodeData } from '../graph/edit-graph.ts';
import type { FlowNode } from '../graph/flow-draft.ts';
import { listShownFields, tidyData } from '../kinds/fields.ts';
import { getNodeKind } from '../kinds/node-kinds.ts';
import { useEditing } from '../editor/editor-context.ts';
import { AddStep } from './add-step.tsx';
import { focusOnStep } from './focus-on-step.ts';
import { FieldInput } from './field-input.tsx';
import { RenameField } from './id-input.tsx';
import { LeadsTo } from './leads-to.tsx';

export interface StepFormProps {
  node: FlowNode;
  faults: readonly Fault[];
}

/** Form with the fields that a flow's step of this type has. */
export function StepForm({ node, faults }: StepFormProps) {
  const { editor } = useEditing();
  const { fields, description } = getNodeKind(node);
  const { id } = node;
  const shown = listShownFields(fields, node.data);
  const problems = new Map(faults.map(({ path, message }) => [path, message]));
  const otherFaults = faults.filter(({ path }) => !shown.some(({ name }) => isFieldPath(path, name)));
  return (
    <form className="flow-form stack" onSubmit={(event) => event.preventDefault()}>
      <p className="hint">{description}</p>
      {otherFaults.length > 0 && (
        <Alert color="red">
          {otherFaults.map(({ path, message }) => (
            <p key={`${path} ${message}`}>{message}</p>
          ))}
        </Alert>
      )}
      <fieldset className="stack" disabled={editor.isReadOnly}>
        {shown.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            data={node.data}
            pathPrefix=""
            problems={problems}
            onChange={(changed, subject = Object.keys(changed).join()) =>
              editor.changeGraph(
                (graph) => {
                  const now = findNode(graph, id);
                  return now ? setNodeData(graph, id, tidyData(fields, { ...now.data, ...changed })) : graph;
                },
                subject === null ? undefined : `${id} ${subject}`,
              )
            }
          />
        ))}
        <LeadsTo node={node} />
        {!editor.isReadOnly && <StepTools node={node} />}
      </fieldset>
    </form>
  );
}

function isFieldPath(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`);
}

function StepTools({ node: { id, type } }: { node: FlowNode }) {
  const { editor } = useEditing();
  const { nodes } = editor.draft.graph;
  const at = nodes.findIndex((node) => node.id === id);
  return (
    <>
      <RenameField
        label="Step ID"
        hint="Jumps and problem messages refer to the step by this ID."
        id={id}
        findRefusal={(to) => (nodes.some((node) => node.id === to) ? 'This ID is already used.' : null)}
        onRename={(to) => {
          editor.changeGraph((graph) => renameNode(graph, id, to));
          editor.select(to);
          focusOnStep(to, '.flow-form > fieldset > .rename input');
        }}
      />
      <AddStep afterId={id} label="Add step after" />
      <div className="row">
        <Button
          variant="default"
          aria-disabled={at === 0}
          onClick={() => editor.changeGraph((graph) => moveNode(graph, id, -1))}
        >
          Move up
        </Button>
        <Button
          variant="default"
          aria-disabled={at === nodes.length - 1}
          onClick={() => editor.changeGraph((graph) => moveNode(graph, id, 1))}
        >
          Move down
        </Button>
        {type !== 'start' && (
          <Button
            variant="light"
            color="red"
            onClick={() => editor.changeGraph((graph) => deleteNodes(graph, [id]))}
          >
            Delete step
          </Button>
        )}
      </div>
    </>
  );
}
