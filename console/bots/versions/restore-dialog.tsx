import type { Bot } from '../../client/types.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { showConfirmation, showError } from '../../components/page/notices.ts';
import { useSession } from '../../session/session.tsx';
import { useStore } from '../../state/use-store.ts';
import { getBotFormKey } from '../studio/use-bot-form.ts';
import { buildVersionsUrl } from './use-versions.ts';

export interface RestoreDialogProps {
  botId: string;
  version: number;
  onRestored(bot: Bot): void;
  onClose(): void;
}

const CONSEQUENCE =
  'Your current settings are saved as a version first. Visitors see the restored settings immediately. ' +
  'Status, keys, knowledge, flows and conversations stay as they are.';
const UNSAVED = " Your unsaved changes stay in the form, but aren't saved.";

/** Dialog that restores a version of a bot. */
export function RestoreDialog({ botId, version, onRestored, onClose }: RestoreDialogProps) {
  const { client, forms } = useSession();
  const isChanged = getBotFormKey(botId) in useStore(forms);
  const restore = async (): Promise<void> => {
    const bot = await client.post<Bot>(`${buildVersionsUrl(botId)}/${version}/restore`);
    onRestored(bot);
    showConfirmation(`Version ${version} restored`);
    if (bot.last_error !== null) showError(bot.last_error);
  };
  return (
    <ConfirmDialog
      question={`Restore version ${version}?`}
      consequence={CONSEQUENCE + (isChanged ? UNSAVED : '')}
      action="Restore version"
      isDangerous={false}
      onConfirm={restore}
      onClose={onClose}
    />
  );
}
