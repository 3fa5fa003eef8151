import type { BotVersion } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useStore } from '../../state/use-store.ts';
import { useSession } from '../../session/session.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { getBotFormKey } from '../studio/use-bot-form.ts';
import { buildVersionsUrl } from './use-versions.ts';

export interface SaveVersionProps {
  botId: string;
  onSaved(): void;
}

/** Button that stores the bot's current configuration as a version. */
export function SaveVersion({ botId, onSaved }: SaveVersionProps) {
  const { client, forms } = useSession();
  const { draft, change, discard } = useFormDraft(`bot/${botId}/version`, { note: '' });
  const isBotChanged = getBotFormKey(botId) in useStore(forms);
  const save = useAction(async () => {
    const { version } = await client.post<BotVersion>(buildVersionsUrl(botId), {
      note: draft.note.trim() || null,
    });
    discard();
    showConfirmation(`Version ${version} saved`);
    onSaved();
  });
  return (
    <Form className="save-version" onSubmit={() => save.run()}>
      <div className="save-version-row">
        <TextField
          label="Version note (optional)"
          maxLength={500}
          value={draft.note}
          onChange={(note) => change({ note })}
          problem={describeFieldProblem(save.problem, 'note', 'The note')}
        />
        <SubmitButton isBusy={save.isBusy}>Save version</SubmitButton>
      </div>
      <p className="hint">
        Creates a version of the saved settings, without secrets, knowledge or flows.
        {isBotChanged && ' Your unsaved changes are not included.'}
      </p>
      <ProblemMessage problem={save.problem} inlineFields={['note']} />
    </Form>
  );
}
