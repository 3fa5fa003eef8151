import { path } from '../client/paths.ts';
import type { BotRead } from '../client/types.ts';
import { DocumentsTab } from '../knowledge/documents-tab.tsx';
import { useStore } from '../hooks/store.ts';
import { useLoad, type Loaded } from '../hooks/use-load.ts';
import { NoSuchPage } from '../no-such-page.tsx';
import { hrefOf } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { useMay } from '../session/use-may.ts';
import { Badge } from '../ui/badge.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { EmbedTab } from './embed-tab.tsx';
import { PlaygroundTab } from './playground-tab.tsx';
import { SearchTab } from './search-tab.tsx';
import { DraftTab } from './generation/draft-tab.tsx';
import { useOrigin, type Origin } from './generation/use-origin.ts';
import { SettingsTab } from './settings-tab.tsx';
import { botFormOf } from './use-bot-form.ts';

const tabs = [
  ['draft', 'Draft'],
  ['settings', 'Settings'],
  ['documents', 'Documents'],
  ['playground', 'Playground'],
  ['search', 'Retrieval test'],
  ['embed', 'Embed'],
] as const;

export function BotPage({ id, tab }: { id: string; tab: string }) {
  const { client, forms } = useSession();
  const may = useMay();
  const isChanged = botFormOf(id) in useStore(forms);
  const bot = useLoad((signal) => client.get<BotRead>(path`/api/bots/${id}`, signal), [client, id]);
  const origin = useOrigin(id, tab === 'draft' || bot.data?.status === 'draft');
  if (!tabs.some(([each]) => each === tab)) return <NoSuchPage />;
  return (
    <Page title={bot.data?.name ?? 'Bot'} tools={bot.data && <Badge state={bot.data.status} />}>
      <Tabs
        label="Parts of the bot"
        current={tab}
        tabs={tabs
          .filter(([each]) => each !== 'playground' || may('bots:write', 'member'))
          .filter(([each]) => each !== 'draft' || tab === 'draft' || isStillDraft(bot, origin))
          .map(([each, name]) => ({
            id: each,
            name: each === 'settings' && isChanged ? `${name} (not saved)` : name,
            href: hrefOf(['bots', id, each]),
          }))}
      />
      <Tab id={id} tab={tab} bot={bot} origin={origin} />
    </Page>
  );
}

interface TabProps {
  id: string;
  tab: string;
  bot: Loaded<BotRead>;
  origin: Loaded<Origin | null>;
}

/** Documents and tests have scopes of their own: they work for a key that may not read the bot. */
function Tab({ id, tab, bot, origin }: TabProps) {
  if (tab === 'documents') return <DocumentsTab botId={id} />;
  if (tab === 'playground') return <PlaygroundTab botId={id} />;
  if (tab === 'search') return <SearchTab botId={id} />;
  if (tab === 'embed') return <EmbedTab botId={id} bot={bot} />;
  return (
    <>
      <ProblemMessage problem={bot.problem} onRetry={bot.reload} />
      {bot.data &&
        (tab === 'draft' ? (
          <DraftTab bot={bot.data} origin={origin} onChange={bot.set} />
        ) : (
          <SettingsTab bot={bot.data} onChange={bot.set} />
        ))}
    </>
  );
}

/** Whether it was generated, and is not in use yet. */
function isStillDraft(bot: Loaded<BotRead>, origin: Loaded<Origin | null>): boolean {
  return bot.data?.status === 'draft' && Boolean(origin.data);
}
