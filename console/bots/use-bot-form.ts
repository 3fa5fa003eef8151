import { path } from '../client/paths.ts';
import type { BotRead, BotUpdate } from '../client/types.ts';
import { useAction, type Action } from '../hooks/use-action.ts';
import { useFormDraft } from '../hooks/use-form-draft.ts';
import { useSession } from '../session/session.tsx';
import { showConfirmation } from '../ui/notices.tsx';
import { useVersionOnSave, type VersionOnSaveState } from './versions/use-version-on-save.ts';
import { findBotChanges, toBotDraft, type BotDraft } from './bot-draft.ts';

/** Returns the key of the bot's form draft. */
export const getBotFormKey = (botId: string) => `bot/${botId}`;

export interface BotFormState {
  draft: BotDraft;
  change(changed: Partial<BotDraft>): void;
  /** Whether the user has typed in the form. */
  isChanged: boolean;
  /** Whether the draft equals the stored bot. */
  isUnchanged: boolean;
  /** Sends the changes, together with extra changes. */
  save: Action<[more?: BotUpdate]>;
  discard(): void;
  versionOnSave: VersionOnSaveState;
}

/** @param onSaved callback with the saved bot */
export function useBotForm(bot: BotRead, onSaved: (bot: BotRead) => void): BotFormState {
  const { client } = useSession();
  const form = useFormDraft(getBotFormKey(bot.id), toBotDraft(bot));
  const { draft, change, isChanged, discard } = form;
  const changes = findBotChanges(bot, draft);
  const versionOnSave = useVersionOnSave(bot.id);
  const save = useAction(async (more?: BotUpdate) => {
    const saved = await client.patch<BotRead>(path`/api/bots/${bot.id}`, { ...changes, ...more });
    form.markSaved(draft);
    onSaved(saved);
    showConfirmation(more?.status === undefined ? 'The bot is saved.' : `The bot is ${saved.status} now.`);
    // The version snapshots the stored bot, so it is created after saving. Its error is shown separately.
    if (versionOnSave.isWanted) versionOnSave.keep.run();
  });
  return {
    draft,
    change,
    isChanged,
    isUnchanged: Object.keys(changes).length === 0,
    save,
    discard,
    versionOnSave,
  };
}
