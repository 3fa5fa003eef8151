import { path } from '../client/paths.ts';
import type { BotRead } from '../client/types.ts';
import { goTo, hrefOf } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { useMay } from '../session/use-may.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Badge } from '../ui/badge.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { tell } from '../ui/notices.tsx';

type Status = BotRead['status'];

/** Where a bot can go from each state, and what that is called. */
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

export interface BotLifeCycleProps {
  bot: BotRead;
  onChange(bot: BotRead): void;
}

export function BotLifeCycle({ bot, onChange }: BotLifeCycleProps) {
  const { client } = useSession();
  const may = useMay();
  const url = path`/api/bots/${bot.id}`;
  return (
    <section class="card stack">
      <h2>
        Status <Badge state={bot.status} />
      </h2>
      <p class="hint">Only an active bot answers visitors.</p>
      <div class="row">
        {(may('bots:write', 'member') ? steps[bot.status] : []).map(([status, name]) => (
          <ActionButton
            key={status}
            onAction={async () => {
              onChange(await client.patch<BotRead>(url, { status }));
              tell(`The bot is ${status} now.`);
            }}
          >
            {name}
          </ActionButton>
        ))}
        {may('bots:write', 'admin') && (
          <ConfirmButton
            question={`Delete ${bot.name}?`}
            consequence="The bot is gone at once; its documents and conversations are removed for good."
            onConfirm={async () => {
              await client.delete(url);
              goTo(hrefOf(['bots']));
              tell('The bot is deleted.');
            }}
          >
            Delete
          </ConfirmButton>
        )}
      </div>
      <Facts
        facts={[
          ['Passages', String(bot.indexed_chunk_count)],
          ['Conversations', String(bot.total_conversations)],
          ['Messages', String(bot.total_messages)],
          ['Last failure', bot.last_error],
        ]}
      />
    </section>
  );
}
