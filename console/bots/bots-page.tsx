import { useState } from 'preact/hooks';
import type { BotRead } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { usePages } from '../hooks/use-pages.ts';
import { goTo, hrefOf } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { useMay } from '../session/use-may.ts';
import { countText } from '../ui/count-text.ts';
import { Badge } from '../ui/badge.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Page } from '../ui/page.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';
import { Avatar } from './avatar.tsx';

const NO_FILTERS = {};

export function BotsPage() {
  const { client } = useSession();
  const pages = usePages<BotRead>(client, '/api/bots', NO_FILTERS);
  const mayWrite = useMay()('bots:write', 'member');
  return (
    <Page title="Bots">
      {mayWrite && <NewBot />}
      <LoadedView of={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">There are no bots yet.{mayWrite && ' Give the first one a name.'}</p>
          ) : (
            <ul class="cards">
              {items.map((bot) => (
                <li key={bot.id} class="card">
                  <Avatar bot={bot} />
                  <div>
                    <a href={hrefOf(['bots', bot.id])}>{bot.name}</a> <Badge state={bot.status} />
                    <p class="hint">
                      {countText(bot.indexed_chunk_count, 'passage')},{' '}
                      {countText(bot.total_conversations, 'conversation')}
                    </p>
                    {bot.last_error !== null && <p class="problem">Last failure: {bot.last_error}</p>}
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
  const { client } = useSession();
  const [name, setName] = useState('');
  const create = useAction(async () => {
    const bot = await client.post<BotRead>('/api/bots', { name: name.trim() });
    goTo(hrefOf(['bots', bot.id]));
  });
  return (
    <Form class="filters" isReady={name.trim() !== ''} onSubmit={() => create.run()}>
      <TextField
        label="Name of a new bot"
        value={name}
        onChange={setName}
        problem={problemAt(create.problem, 'name', 'The name')}
        maxLength={255}
        isRequired
      />
      <button type="submit" aria-disabled={create.isBusy || name.trim() === ''}>
        Create
      </button>
      <ProblemMessage problem={create.problem} toldBy={['name']} />
    </Form>
  );
}
