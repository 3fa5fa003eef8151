import { SelectField } from '../../ui/fields.tsx';
import { useEditing } from '../editor/editor-context.ts';
import { connect, disconnect, targetOf } from '../graph/edit-graph.ts';
import type { FlowNode } from '../graph/flow-draft.ts';
import { labelOfNode, portsOf } from '../kinds/node-kinds.ts';

/** Target of each port of a step. */
export function LeadsTo({ node }: { node: FlowNode }) {
  const { editor } = useEditing();
  const { graph } = editor.draft;
  const ports = portsOf(node);
  if (ports.length === 0) return null;
  const targets = graph.nodes.filter(({ type, id }) => type !== 'start' && id !== node.id);
  const options = [
    ['', 'Nowhere: the flow ends'],
    ...targets.map((each) => [each.id, labelOfNode(each)] as const),
    ...(node.type === 'start' ? [] : [[node.id, 'This step again'] as const]),
  ] as const;
  return (
    <fieldset class="stack">
      <legend>Leads to</legend>
      {ports.map(({ id, label }) => (
        <SelectField
          key={id}
          label={label}
          value={targetOf(graph, node.id, id) ?? ''}
          options={options}
          onChange={(target) =>
            editor.changeGraph((now) =>
              target === ''
                ? disconnect(now, node.id, id)
                : connect(now, { source: node.id, port: id, target }),
            )
          }
        />
      ))}
    </fieldset>
  );
}
