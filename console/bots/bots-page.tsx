import type { BotRead } from '../client/types.ts';
import { usePages } from '../state/use-pages.ts';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { formatCount } from '../components/format-count.ts';
import { Badge } from '../components/badge.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Page } from '../components/page.tsx';
import { Avatar } from './avatar.tsx';
import { StartEmpty } from './start-empty.tsx';

const NO_FILTERS = {};

export function BotsPage() {
  const { client } = useSession();
  const pages = usePages<BotRead>(client, '/api/bots', NO_FILTERS);
  const mayWrite = usePermission()('bots:write', 'member');
  return (
    <Page title="Bots" tools={mayWrite && <NewBot />}>
      <LoadedView loaded={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="empty">There are no bots yet.{mayWrite && ' Describe the first one.'}</p>
          ) : (
            <ul className="cards">
              {items.map((bot) => (
                <li key={bot.id} className="card">
                  <Avatar bot={bot} />
                  <div>
                    <a href={buildHref(['bots', bot.id])}>{bot.name}</a> <Badge state={bot.status} />
                    <p className="hint">
                      {formatCount(bot.indexed_chunk_count, 'passage')},{' '}
                      {formatCount(bot.total_conversations, 'session')}
                    </p>
                    {bot.last_error !== null && <p className="problem">Last failure: {bot.last_error}</p>}
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
      <MoreButton pages={pages} noun="bot" />
    </Page>
  );
}

function NewBot() {
  return (
    <div className="row">
      <a className="button primary" href={buildHref(['bots', 'new'])}>
        New bot from a description
      </a>
      <StartEmpty />
    </div>
  );
}
