import { useState } from 'react';
import type { Flow } from '../client/types.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { DialogButton } from '../components/dialogs/dialog-button.tsx';
import { SelectField, TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { SubmitOrCancel } from '../components/forms/submit-or-cancel.tsx';
import { buildHref, goTo } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { IconPlus } from '../shell/icons.ts';
import { useAction } from '../state/use-action.ts';
import { FileForm } from './editor/file-form.tsx';
import { toFlowRequest, type FlowDraft } from './graph/flow-draft.ts';
import { readFlowFile } from './graph/flow-file.ts';
import { templates } from './graph/templates.ts';

const options = templates.map(({ id, name }) => [id, name] as const);

/** Buttons that create a flow from a file, from a template, or without steps. */
export function NewFlow({ botId }: { botId: string }) {
  const { client } = useSession();
  const createFlow = async (draft: FlowDraft): Promise<void> => {
    const flow = await client.post<Flow>('/api/flows', toFlowRequest(draft, botId));
    goTo(buildHref(['bots', botId, 'flows', flow.id]));
  };
  return (
    <>
      <DialogButton name="Import" title="Import a flow">
        {() => (
          <FileForm
            hint="Creates an inactive flow for this bot."
            onRead={async (text, file) => createFlow(readFlowFile(text, file))}
          />
        )}
      </DialogButton>
      <DialogButton name="Create flow" kind="primary" icon={<IconPlus />}>
        {() => <FlowForm onCreate={createFlow} />}
      </DialogButton>
    </>
  );
}

function FlowForm({ onCreate }: { onCreate(draft: FlowDraft): Promise<void> }) {
  const [name, setName] = useState('');
  const [from, setFrom] = useState(templates[0]!.id);
  const template = templates.find(({ id }) => id === from)!;
  const create = useAction(() => onCreate(template.make(name)));
  return (
    <Form isReady={name.trim() !== ''} onSubmit={() => create.run()}>
      <TextField
        label="Flow name"
        value={name}
        onChange={setName}
        problem={describeFieldProblem(create.problem, 'name', 'The name')}
        maxLength={120}
        isRequired
        isFocused
      />
      <SelectField
        label="Template"
        value={from}
        options={options}
        hint={template.description}
        onChange={setFrom}
      />
      <ProblemMessage problem={create.problem} inlineFields={['name']} />
      <SubmitOrCancel isBusy={create.isBusy}>Create flow</SubmitOrCancel>
    </Form>
  );
}
