import { Button } from '@mantine/core';
import { useState } from 'react';
import type { FlowRead } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { goTo, buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { SelectField, TextField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import { FileForm } from './editor/file-form.tsx';
import { toFlowRequest, type FlowDraft } from './graph/flow-draft.ts';
import { readFlowFile } from './graph/flow-file.ts';
import { templates } from './graph/templates.ts';

const options = templates.map(({ id, name }) => [id, name] as const);

/** Button and form that create a flow: empty, from a template or from a file. */
export function NewFlow({ botId }: { botId: string }) {
  const { client } = useSession();
  const [name, setName] = useState('');
  const [from, setFrom] = useState(templates[0]!.id);
  const template = templates.find(({ id }) => id === from)!;
  const isReady = name.trim() !== '';
  const createFlow = async (draft: FlowDraft): Promise<void> => {
    const flow = await client.post<FlowRead>('/api/flows', toFlowRequest(draft, botId));
    goTo(buildHref(['bots', botId, 'flows', flow.id]));
  };
  const create = useAction(() => createFlow(template.make(name)));
  return (
    <Form className="filters" isReady={isReady} onSubmit={() => create.run()}>
      <TextField
        label="Flow name"
        value={name}
        onChange={setName}
        problem={describeFieldProblem(create.problem, 'name', 'The name')}
        maxLength={120}
        isRequired
      />
      <SelectField label="Template" value={from} options={options} onChange={setFrom} />
      <Button type="submit" aria-disabled={create.isBusy || !isReady}>
        Create
      </Button>
      <DialogButton name="Import" title="Import a flow">
        {() => (
          <FileForm
            hint="Creates a new, inactive flow of this bot."
            onRead={async (text, file) => createFlow(readFlowFile(text, name.trim() || file))}
          />
        )}
      </DialogButton>
      <p className="hint">{template.description}</p>
      <ProblemMessage problem={create.problem} inlineFields={['name']} />
    </Form>
  );
}
