import { path } from '../client/paths.ts';
import type { BotRead } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { ActionButton } from '../components/action-button.tsx';
import { showConfirmation } from '../components/notices.ts';

type Status = BotRead['status'];

/** Statuses that the user can choose next, with the label of the button, by current status. */
const steps: Record<Status, readonly (readonly [to: Status, name: string])[]> = {
  draft: [
    ['active', 'Activate'],
    ['archived', 'Archive'],
  ],
  active: [
    ['paused', 'Pause'],
    ['archived', 'Archive'],
  ],
  paused: [
    ['active', 'Activate'],
    ['archived', 'Archive'],
  ],
  archived: [['draft', 'Take out of the archive']],
};

export interface BotStepsProps {
  bot: BotRead;
  /** Restricts the buttons to the one for this status. */
  to?: Status;
  onChange(bot: BotRead): void;
}

/** Buttons that change the status of the bot. */
export function BotSteps({ bot, to, onChange }: BotStepsProps) {
  const { client } = useSession();
  const may = usePermission();
  if (!may('bots:write', 'member')) return null;
  return (
    <>
      {steps[bot.status]
        .filter(([status]) => to === undefined || status === to)
        .map(([status, name]) => (
          <ActionButton
            key={status}
            kind={to && 'primary'}
            onAction={async () => {
              onChange(await client.patch<BotRead>(path`/api/bots/${bot.id}`, { status }));
              showConfirmation(`The bot is ${status} now.`);
            }}
          >
            {name}
          </ActionButton>
        ))}
    </>
  );
}
