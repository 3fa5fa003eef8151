import { Alert, Button } from '@mantine/core';
import type { Bot } from '../../client/types.ts';
import { usePermission } from '../../session/use-permission.ts';
import { useBotStatus, type BotStatusProps } from '../studio/live-switch.tsx';

const notLive: Record<Exclude<Bot['status'], 'active'>, string> = {
  draft: 'The bot is a draft',
  paused: 'The bot is paused',
  archived: 'The bot is archived',
};

/** Explains why the widget is not shown on websites, and how to change that. */
export function NotShownHint({ bot, onChange }: BotStatusProps) {
  const mayWrite = usePermission()('bots:write', 'member');
  const setStatus = useBotStatus({ bot, onChange });
  const { status } = bot;
  if (status === 'active' && bot.is_public) return null;
  return (
    <Alert color="yellow" role="status">
      {status !== 'active' && (
        <div className="alert-row">
          <span>
            <strong>{notLive[status]}.</strong> Pages with the snippet show nothing until the bot is live.
          </span>
          {mayWrite && (
            <Button
              size="xs"
              aria-disabled={setStatus.isBusy}
              onClick={() => setStatus.run(status === 'archived' ? 'draft' : 'active')}
            >
              {status === 'archived' ? 'Unarchive' : 'Go live'}
            </Button>
          )}
        </div>
      )}
      {!bot.is_public && (
        <div>
          <strong>The bot is not public.</strong> Turn on “Publicly available” to show it on your pages.
        </div>
      )}
    </Alert>
  );
}
