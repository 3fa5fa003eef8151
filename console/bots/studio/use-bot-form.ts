import { path } from '../../client/paths.ts';
import type { Bot, BotUpdate } from '../../client/types.ts';
import { useAction, type Action } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { useVersionOnSave, type VersionOnSaveState } from '../versions/use-version-on-save.ts';
import { botWords } from '../bot-words.ts';
import { findBotChanges, toBotDraft, type BotDraft } from '../fields/bot-draft.ts';

/** Returns the key under which unsaved changes to the bot are stored. */
export const getBotFormKey = (botId: string) => `bot/${botId}`;

export interface BotFormState {
  draft: BotDraft;
  change(changed: Partial<BotDraft>): void;
  /** Whether the user has changed any input of the bot form. */
  isChanged: boolean;
  /** Whether the form values equal the stored bot. */
  isUnchanged: boolean;
  /** Saves the bot with its changed fields and with `more`, and then calls `onDone`. */
  save: Action<[more?: BotUpdate, onDone?: () => void]>;
  discard(): void;
  versionOnSave: VersionOnSaveState;
}

/**
 * Provides the values and actions of the form for a bot.
 * @param onSaved called with the saved bot
 */
export function useBotForm(bot: Bot, onSaved: (bot: Bot) => void): BotFormState {
  const { client } = useSession();
  const form = useFormDraft(getBotFormKey(bot.id), toBotDraft(bot));
  const { draft, change, isChanged, discard } = form;
  const changes = findBotChanges(bot, draft);
  const versionOnSave = useVersionOnSave(bot.id);
  const save = useAction(async (more?: BotUpdate, onDone?: () => void) => {
    const saved = await client.patch<Bot>(path`/api/bots/${bot.id}`, { ...changes, ...more });
    form.markSaved(draft);
    onSaved(saved);
    showConfirmation(
      more?.status === undefined ? 'Changes saved' : `Bot is now ${botWords[saved.status][1].toLowerCase()}`,
    );
    onDone?.();
    // Create the version after the bot is saved, since the API copies the stored bot. A failure has its own
    // message.
    if (versionOnSave.isEnabled) versionOnSave.createVersion.run();
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
