import { SelectField } from '../../components/forms/fields.tsx';
import { useEditing } from '../editor/editor-context.ts';
import { connectPort, disconnectPort, findTarget } from '../graph/edit-graph.ts';
import type { FlowNode } from '../graph/flow-draft.ts';
import { getNodeLabel, listPorts } from '../kinds/node-kinds.ts';

/** Select fields for the step to which each output of a step leads. */
export function LeadsTo({ node }: { node: FlowNode }) {
  const { editor } = useEditing();
  const { graph } = editor.draft;
  const ports = listPorts(node);
  if (ports.length === 0) return null;
  const targets = graph.nodes.filter(({ type, id }) => type !== 'start' && id !== node.id);
  const options = [
    ['', 'None (ends the flow)'],
    ...targets.map((each) => [each.id, getNodeLabel(each)] as const),
    ...(node.type === 'start' ? [] : [[node.id, 'This step again'] as const]),
  ] as const;
  return (
    <fieldset className="stack flow-group">
      <legend>Next steps</legend>
      {ports.map(({ id, label }) => (
        <SelectField
          key={id}
          label={label}
          value={findTarget(graph, node.id, id) ?? ''}
          options={options}
          onChange={(target) =>
            editor.changeGraph((now) =>
              target === ''
                ? disconnectPort(now, node.id, id)
                : connectPort(now, { source: node.id, port: id, target }),
            )
          }
        />
      ))}
    </fieldset>
  );
}
