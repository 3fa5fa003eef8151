import { Button } from '@mantine/core';
import type { BotRead } from '../client/types.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { formatCount } from '../components/format-count.ts';
import { LoadedView } from '../components/loaded-view.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Page } from '../components/page.tsx';
import { Status } from '../components/status.tsx';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { IconBots, IconPlus } from '../shell/icons.ts';
import { usePages } from '../state/use-pages.ts';
import { BotAvatar } from './bot-avatar.tsx';
import { botWords } from './bot-words.ts';
import { IconAlert } from './icons.ts';
import { StartEmpty } from './start-empty.tsx';

const NO_FILTERS = {};

/** Lists the bots of the workspace with their health. */
export function BotsPage() {
  const { client } = useSession();
  const pages = usePages<BotRead>(client, '/api/bots', NO_FILTERS);
  const mayWrite = usePermission()('bots:write', 'member');
  return (
    <Page
      title="Bots"
      tools={
        mayWrite &&
        pages.data?.items.length !== 0 && (
          <>
            <StartEmpty />
            <CreateButton />
          </>
        )
      }
    >
      <LoadedView loaded={pages}>
        {({ items }) =>
          items.length === 0 ? (
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
              Describe your business, and we'll draft a bot that answers your visitors.
            </EmptyState>
          ) : (
            <ul className="bot-cards">
              {items.map((bot) => (
                <BotCard key={bot.id} bot={bot} />
              ))}
            </ul>
          )
        }
      </LoadedView>
      <MoreButton pages={pages} noun="bot" />
    </Page>
  );
}

function BotCard({ bot }: { bot: BotRead }) {
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

/** Describes what most keeps the bot from working; null if nothing does. */
function findProblem({ status, last_error: error, indexed_chunk_count: passages, ...bot }: BotRead) {
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
