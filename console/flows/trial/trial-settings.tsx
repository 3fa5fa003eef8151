import { CheckboxField, SelectField, TextArea, TextField } from '../../components/forms/fields.tsx';
import { useEditing } from '../editor/editor-context.ts';
import type { FlowNode, FlowNodeType } from '../graph/flow-draft.ts';
import { getNodeLabel, listPorts } from '../kinds/node-kinds.ts';
import type { Sample } from './use-trial.ts';

/**
 * Types of steps that act outside of the flow, such as HTTP requests. A test run uses sample results instead.
 */
const sampledTypes: ReadonlySet<FlowNodeType> = new Set([
  'http_request',
  'model_answer',
  'knowledge_answer',
  'booking',
  'handoff',
]);

const ports: Partial<Record<FlowNodeType, readonly (readonly [string, string])[]>> = {
  handoff: [
    ['out', 'Team available'],
    ['unavailable', 'Team unavailable'],
  ],
};

/** Fields for the inputs of a flow's test run, and for sample results. */
export function TrialSettings() {
  const { editor, trial } = useEditing();
  const { setting, set } = trial;
  const nodes = editor.draft.graph.nodes.filter(({ type }) => sampledTypes.has(type));
  return (
    <details className="flow-trial-settings">
      <summary>Test settings</summary>
      <div className="stack">
        <TextField
          label="Visitor's last message"
          hint="The value of last_message before the first answer."
          value={setting.message}
          maxLength={4000}
          onChange={(message) => set({ message })}
        />
        <TextField
          label="Visitor's page"
          type="url"
          value={setting.pageUrl}
          maxLength={2000}
          onChange={(pageUrl) => set({ pageUrl })}
        />
        <CheckboxField
          label="Call the bot's model (uses tokens)"
          isChecked={setting.asksModel}
          onChange={(asksModel) => set({ asksModel })}
        />
        {nodes.length === 0 ? (
          <p className="hint">
            You can set sample results for steps that call a server, a model or your team. This flow has no
            such steps yet.
          </p>
        ) : (
          nodes.map((node) => <SampleFields key={node.id} node={node} />)
        )}
      </div>
    </details>
  );
}

function SampleFields({ node }: { node: FlowNode }) {
  const { trial } = useEditing();
  const { samples } = trial.setting;
  const sample = samples.get(node.id);
  const setSample = (changed: Sample | undefined): void => {
    const others = [...samples].filter(([id]) => id !== node.id);
    trial.set({ samples: new Map(changed ? [...others, [node.id, changed]] : others) });
  };
  const options: readonly (readonly [string, string])[] =
    ports[node.type] ?? listPorts(node).map(({ id, label }) => [id, label] as const);
  return (
    <fieldset className="stack flow-group">
      <legend>
        Sample for <bdi>{getNodeLabel(node)}</bdi>
      </legend>
      <SelectField
        label="Outcome"
        value={sample?.port ?? ''}
        options={[['', 'No sample'], ...options]}
        onChange={(port) => setSample(port === '' ? undefined : { port, body: sample?.body ?? '' })}
      />
      {sample !== undefined && node.type !== 'handoff' && node.type !== 'booking' && (
        <TextArea
          label="Result"
          hint="JSON or text."
          rows={2}
          value={sample.body}
          onChange={(body) => setSample({ ...sample, body })}
        />
      )}
    </fieldset>
  );
}
