import { Button } from '@mantine/core';
import type { Bot } from '../client/types.ts';
import { EmptyState } from '../components/lists/empty-state.tsx';
import { formatCount } from '../components/text/format-count.ts';
import { ListView } from '../components/lists/list-view.tsx';
import { Page } from '../components/page/page.tsx';
import { Status } from '../components/lists/status.tsx';
import { buildHref } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';
import { IconBots, IconPlus } from '../shell/icons.ts';
import { useList } from '../state/use-list.ts';
import { BotAvatar } from './bot-avatar.tsx';
import { botWords } from './bot-words.ts';
import { IconAlert } from './icons.ts';
import { StartEmpty } from './start-empty.tsx';

/** Lists the bots of the workspace with their health. */
export function BotsPage() {
  const bots = useList<Bot>('/api/bots', {});
  const mayWrite = usePermission()('bots:write', 'member');
  return (
    <Page
      title="Bots"
      tools={
        mayWrite &&
        bots.data?.length !== 0 && (
          <>
            <StartEmpty />
            <CreateButton />
          </>
        )
      }
    >
      <ListView
        list={bots}
        noun="bot"
        empty={
          <EmptyState
            icon={<IconBots size={32} />}
            title="No bots yet"
            action={
              mayWrite && (
                <>
                  <CreateButton />
                  <StartEmpty />
                </>
              )
            }
          >
            Describe your business, and we'll draft a bot that answers your visitors' questions.
          </EmptyState>
        }
      >
        {(rows) => (
          <ul className="bot-cards">
            {rows.map((bot) => (
              <BotCard key={bot.id} bot={bot} />
            ))}
          </ul>
        )}
      </ListView>
    </Page>
  );
}

function BotCard({ bot }: { bot: Bot }) {
  const [tone, name] = botWords[bot.status];
  const problem = findProblem(bot);
  return (
    <li className="bot-card">
      <div className="bot-card-head">
        <BotAvatar bot={bot} />
        <a className="bot-card-link" href={buildHref(['bots', bot.id])}>
          {bot.name}
        </a>
        <Status tone={tone}>{name}</Status>
      </div>
      {bot.description !== null && (
        <p className="bot-card-text" dir="auto">
          {bot.description}
        </p>
      )}
      <p className="bot-card-facts">
        {formatCount(bot.indexed_chunk_count, 'passage')} ·{' '}
        {formatCount(bot.total_conversations, 'conversation')}
      </p>
      {problem !== null && (
        <p className="bot-card-problem">
          <IconAlert size={16} /> <span>{problem}</span>
        </p>
      )}
    </li>
  );
}

/** Describes the most severe problem of the bot; returns null if the bot has no problem. */
function findProblem({ status, last_error: error, indexed_chunk_count: passages, ...bot }: Bot) {
  if (status === 'archived') return null;
  if (error !== null) return error;
  if (passages === 0) return 'No knowledge yet';
  if (status === 'active' && !bot.is_public) return 'Not public';
  return null;
}

function CreateButton() {
  return (
    <Button component="a" href={buildHref(['bots', 'new'])} leftSection={<IconPlus />}>
      Create bot
    </Button>
  );
}
