import { path } from '../client/paths.ts';
import type { BotRead, BotUpdate } from '../client/types.ts';
import { useAction, type Action } from '../hooks/use-action.ts';
import { useFormDraft } from '../hooks/use-form-draft.ts';
import { useSession } from '../session/session.tsx';
import { tell } from '../ui/notices.tsx';
import { useKeptVersion, type KeptVersion } from './versions/use-kept-version.ts';
import { changesOf, draftOf, type BotDraft } from './bot-draft.ts';

/** Returns the key of the bot's form draft. */
export const botFormOf = (botId: string) => `bot/${botId}`;

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
  kept: KeptVersion;
}

/** @param onSaved callback with the saved bot */
export function useBotForm(bot: BotRead, onSaved: (bot: BotRead) => void): BotFormState {
  const { client } = useSession();
  const form = useFormDraft(botFormOf(bot.id), draftOf(bot));
  const { draft, change, isChanged, discard } = form;
  const changes = changesOf(bot, draft);
  const kept = useKeptVersion(bot.id);
  const save = useAction(async (more?: BotUpdate) => {
    const saved = await client.patch<BotRead>(path`/api/bots/${bot.id}`, { ...changes, ...more });
    form.saved(draft);
    onSaved(saved);
    tell(more?.status === undefined ? 'The bot is saved.' : `The bot is ${saved.status} now.`);
    // The version snapshots the stored bot, so it is created after saving. Its error is shown separately.
    if (kept.isWanted) kept.keep.run();
  });
  return { draft, change, isChanged, isUnchanged: Object.keys(changes).length === 0, save, discard, kept };
}
