import { path } from '../client/paths.ts';
import type { BotRead } from '../client/types.ts';
import { goTo, buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { Badge } from '../components/badge.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Facts } from '../components/facts.tsx';
import { showConfirmation } from '../components/notices.ts';
import { BotSteps } from './bot-steps.tsx';
import { DuplicateBot } from './duplicate-bot.tsx';

export interface BotLifeCycleProps {
  bot: BotRead;
  onChange(bot: BotRead): void;
}

export function BotLifeCycle({ bot, onChange }: BotLifeCycleProps) {
  const { client } = useSession();
  const may = usePermission();
  const url = path`/api/bots/${bot.id}`;
  return (
    <section className="card stack">
      <h2>
        Status <Badge state={bot.status} />
      </h2>
      <p className="hint">Only an active bot answers visitors.</p>
      <div className="row">
        <BotSteps bot={bot} onChange={onChange} />
        <DuplicateBot bot={bot} />
        {may('bots:write', 'admin') && (
          <ConfirmButton
            question={`Delete ${bot.name}?`}
            consequence="The bot is gone at once; its documents and conversations are permanently deleted."
            onConfirm={async () => {
              await client.delete(url);
              goTo(buildHref(['bots']));
              showConfirmation('The bot is deleted.');
            }}
          >
            Delete
          </ConfirmButton>
        )}
      </div>
      <Facts
        facts={[
          ['Passages', String(bot.indexed_chunk_count)],
          ['Sessions', String(bot.total_conversations)],
          ['Messages', String(bot.total_messages)],
          ['Last failure', bot.last_error],
        ]}
      />
    </section>
  );
}
