import { path } from '../client/paths.ts';
import type { BotRead, BotUpdate } from '../client/types.ts';
import { useAction, type Action } from '../hooks/use-action.ts';
import { useFormDraft } from '../hooks/use-form-draft.ts';
import { useSession } from '../session/session.tsx';
import { tell } from '../ui/notices.tsx';
import { useKeptVersion, type KeptVersion } from './versions/use-kept-version.ts';
import { changesOf, draftOf, type BotDraft } from './bot-draft.ts';

/** What the form’s draft is kept by. */
export const botFormOf = (botId: string) => `bot/${botId}`;

export interface BotFormState {
  draft: BotDraft;
  change(changed: Partial<BotDraft>): void;
  /** Whether somebody has typed in it. */
  isChanged: boolean;
  /** Whether there is nothing to send. */
  isUnchanged: boolean;
  /** Sends what was changed, together with more that is to be changed at once. */
  save: Action<[more?: BotUpdate]>;
  discard(): void;
  kept: KeptVersion;
}

/** @param onSaved called with the bot as it is then */
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
    // A version is of what is stored, so that it comes second; if it fails, that is told beside it.
    if (kept.isWanted) kept.keep.run();
  });
  return { draft, change, isChanged, isUnchanged: Object.keys(changes).length === 0, save, discard, kept };
}
