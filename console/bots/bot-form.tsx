import { Button } from '@mantine/core';
import type { BotRead } from '../client/types.ts';
import { ActionButton } from '../components/action-button.tsx';
import { Form } from '../components/form.tsx';
import { ProblemMessage } from '../components/problem-message.tsx';
import { listKeys, toRequestField, type BotDraft } from './bot-draft.ts';
import { AnswerFields, bindDraft, LimitFields, WordsFields } from './bot-fields.tsx';
import { HandoffFields } from './handoff-fields.tsx';
import { LeadFields } from './lead-fields.tsx';
import { ThemeFields } from './theme-fields.tsx';
import { VersionOnSave } from './versions/version-on-save.tsx';
import type { BotFormState } from './use-bot-form.ts';

export interface BotFormProps {
  bot: BotRead;
  form: BotFormState;
  isReadOnly: boolean;
  /** DOM id of the form, so that a submit button outside of it can refer to it. */
  id?: string;
}

export function BotForm({ bot, form, isReadOnly, id }: BotFormProps) {
  const { draft, change, isChanged, isUnchanged, save, discard, versionOnSave } = form;
  const binding = bindDraft(draft, change, save.problem);
  return (
    <Form id={id} className="card stack" isReady={!isUnchanged} onSubmit={() => save.run()}>
      <fieldset className="bare stack" disabled={isReadOnly}>
        <WordsFields {...binding} />
        <AnswerFields {...binding} bot={bot} />
        {draft.handoff_enabled && <HandoffFields {...binding} />}
        <LeadFields {...binding} />
        <ThemeFields {...binding} />
        <LimitFields {...binding} />
      </fieldset>
      <ProblemMessage problem={save.problem} inlineFields={listShownFieldNames(draft).map(toRequestField)} />
      {isReadOnly ? (
        <p className="hint">You may see the settings, but not change them.</p>
      ) : (
        <>
          <VersionOnSave {...versionOnSave} />
          <div className="row">
            <Button type="submit" aria-disabled={save.isBusy || isUnchanged}>
              {save.isBusy ? 'Saving …' : 'Save'}
            </Button>
            <ActionButton isDisabled={save.isBusy || !isChanged} onAction={async () => discard()}>
              Undo
            </ActionButton>
            {isChanged && (
              <span className="hint">Not saved yet. It stays here while you look at other pages.</span>
            )}
          </div>
        </>
      )}
    </Form>
  );
}

function listShownFieldNames(draft: BotDraft): (keyof BotDraft)[] {
  return listKeys(draft).filter(
    (name) =>
      (draft.handoff_enabled || !name.startsWith('handoff_')) &&
      (draft.lead_enabled || !name.startsWith('lead_')) &&
      (draft.theme_has_gradient || !/^theme_(from|to|angle)/.test(name)),
  );
}
