import { Switch } from '@mantine/core';
import { path } from '../../client/paths.ts';
import type { Bot } from '../../client/types.ts';
import { showConfirmation, showError } from '../../components/page/notices.ts';
import { Status } from '../../components/lists/status.tsx';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { useAction } from '../../state/use-action.ts';
import { botWords } from '../bot-words.ts';

export interface BotStatusProps {
  bot: Bot;
  onChange(bot: Bot): void;
}

/** Changes the status of a bot. */
export function useBotStatus({ bot, onChange }: BotStatusProps) {
  const { client } = useSession();
  return useAction(
    async (status: Bot['status']) => {
      onChange(await client.patch<Bot>(path`/api/bots/${bot.id}`, { status }));
      showConfirmation(`Bot is now ${botWords[status][1].toLowerCase()}`);
    },
    ({ message }) => showError(message),
  );
}

/** Switch that puts the bot live or pauses it, with the current status. */
export function LiveSwitch({ bot, onChange }: BotStatusProps) {
  const mayWrite = usePermission()('bots:write', 'member');
  const setStatus = useBotStatus({ bot, onChange });
  const [tone, name] = botWords[bot.status];
  if (!mayWrite || bot.status === 'archived') return <Status tone={tone}>{name}</Status>;
  const isLive = bot.status === 'active';
  return (
    <>
      {!isLive && <Status tone={tone}>{name}</Status>}
      <Switch
        label="Live"
        checked={isLive !== setStatus.isBusy}
        aria-busy={setStatus.isBusy}
        onChange={() => setStatus.run(isLive ? 'paused' : 'active')}
      />
    </>
  );
}
