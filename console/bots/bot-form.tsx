import { path } from '../client/paths.ts';
import type { BotRead } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useFormDraft } from '../hooks/use-form-draft.ts';
import { useSession } from '../session/session.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { Form } from '../ui/form.tsx';
import { tell } from '../ui/notices.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { changesOf, draftOf, namesOf, requestFieldOf, type BotDraft } from './bot-draft.ts';
import { AnswerFields, bindDraft, LimitFields, WordsFields } from './bot-fields.tsx';
import { HandoffFields } from './handoff-fields.tsx';
import { LeadFields } from './lead-fields.tsx';

export interface BotFormProps {
  bot: BotRead;
  isReadOnly: boolean;
  onSaved(bot: BotRead): void;
}

/** What the form’s draft is kept by. */
export const botFormOf = (botId: string) => `bot/${botId}`;

export function BotForm({ bot, isReadOnly, onSaved }: BotFormProps) {
  const { client } = useSession();
  const { draft, isChanged, change, saved: settle, discard } = useFormDraft(botFormOf(bot.id), draftOf(bot));
  const changes = changesOf(bot, draft);
  const isUnchanged = Object.keys(changes).length === 0;
  const save = useAction(async () => {
    const saved = await client.patch<BotRead>(path`/api/bots/${bot.id}`, changes);
    settle(draft);
    onSaved(saved);
    tell('The bot is saved.');
  });
  const binding = bindDraft(draft, change, save.problem);
  return (
    <Form class="card stack" isReady={!isUnchanged} onSubmit={() => save.run()}>
      <fieldset class="bare stack" disabled={isReadOnly}>
        <WordsFields {...binding} />
        <AnswerFields {...binding} bot={bot} />
        {draft.handoff_enabled && <HandoffFields {...binding} />}
        <LeadFields {...binding} />
        <LimitFields {...binding} />
      </fieldset>
      <ProblemMessage problem={save.problem} toldBy={shownIn(draft).map(requestFieldOf)} />
      {isReadOnly ? (
        <p class="hint">You may see the settings, but not change them.</p>
      ) : (
        <div class="row">
          <button class="primary" type="submit" aria-disabled={save.isBusy || isUnchanged}>
            {save.isBusy ? 'Saving …' : 'Save'}
          </button>
          <ActionButton isDisabled={save.isBusy || !isChanged} onAction={async () => discard()}>
            Undo
          </ActionButton>
          {isChanged && <span class="hint">Not saved yet. It stays here while you look at other pages.</span>}
        </div>
      )}
    </Form>
  );
}

function shownIn(draft: BotDraft): (keyof BotDraft)[] {
  return namesOf(draft).filter(
    (name) =>
      (draft.handoff_enabled || !name.startsWith('handoff_')) &&
      (draft.lead_enabled || !name.startsWith('lead_')),
  );
}
