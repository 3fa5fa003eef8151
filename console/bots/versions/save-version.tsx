import { Button } from '@mantine/core';
import type { BotVersion } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useStore } from '../../state/use-store.ts';
import { useSession } from '../../session/session.tsx';
import { TextField } from '../../components/fields.tsx';
import { Form } from '../../components/form.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { getBotFormKey } from '../use-bot-form.ts';
import { buildVersionsUrl } from './use-versions.ts';

export interface SaveVersionProps {
  botId: string;
  onSaved(): void;
}

/** Button that stores the current bot as a version. */
export function SaveVersion({ botId, onSaved }: SaveVersionProps) {
  const { client, forms } = useSession();
  const { draft, change, discard } = useFormDraft(`bot/${botId}/version`, { note: '' });
  const isBotChanged = getBotFormKey(botId) in useStore(forms);
  const save = useAction(async () => {
    const { version } = await client.post<BotVersion>(buildVersionsUrl(botId), {
      note: draft.note.trim() || null,
    });
    discard();
    showConfirmation(`Version ${version} is saved.`);
    onSaved();
  });
  return (
    <Form className="stack" onSubmit={() => save.run()}>
      <div className="filters long">
        <TextField
          label="Note, for example the reason for this version"
          maxLength={500}
          value={draft.note}
          onChange={(note) => change({ note })}
          problem={describeFieldProblem(save.problem, 'note', 'The note')}
        />
        <Button type="submit" aria-disabled={save.isBusy}>
          {save.isBusy ? 'Saving …' : 'Save a version'}
        </Button>
      </div>
      <p className="hint">
        Of the settings as they are stored, without secrets, documents and flows.
        {isBotChanged && ' What you have changed in the settings and not saved is not in it.'}
      </p>
      <ProblemMessage problem={save.problem} inlineFields={['note']} />
    </Form>
  );
}
