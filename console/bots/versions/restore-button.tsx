import type { BotRead } from '../../client/types.ts';
import { useStore } from '../../state/use-store.ts';
import { useSession } from '../../session/session.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { showConfirmation, showError } from '../../components/notices.ts';
import { getBotFormKey } from '../use-bot-form.ts';
import { buildVersionsUrl } from './use-versions.ts';

export interface RestoreButtonProps {
  botId: string;
  version: number;
  onRestored(bot: BotRead): void;
}

const CONSEQUENCE =
  'The present settings are saved as a version first; then the bot is what this version says, also for visitors. ' +
  'Its status, its keys, documents, flows and conversations stay as they are.';
const UNSAVED = ' What you have changed in the settings and not saved stays there, unsaved.';

export function RestoreButton({ botId, version, onRestored }: RestoreButtonProps) {
  const { client, forms } = useSession();
  const isChanged = getBotFormKey(botId) in useStore(forms);
  const restore = async (): Promise<void> => {
    const bot = await client.post<BotRead>(`${buildVersionsUrl(botId)}/${version}/restore`);
    onRestored(bot);
    showConfirmation(`The bot is as it was in version ${version}. What it was before is the newest version.`);
    if (bot.last_error !== null) showError(bot.last_error);
  };
  return (
    <ConfirmButton
      about={`version ${version}`}
      question={`Restore version ${version}?`}
      consequence={CONSEQUENCE + (isChanged ? UNSAVED : '')}
      onConfirm={restore}
    >
      Restore
    </ConfirmButton>
  );
}
