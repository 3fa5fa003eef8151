import { lazy } from 'react';
import { path } from '../client/paths.ts';
import type { BotRead } from '../client/types.ts';
import { DocumentsTab } from '../knowledge/documents-tab.tsx';
import { useStore } from '../state/use-store.ts';
import { useLoad, type Loaded } from '../state/use-load.ts';
import { NoSuchPage } from '../no-such-page.tsx';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { Badge } from '../components/badge.tsx';
import { Page } from '../components/page.tsx';
import { ProblemMessage } from '../components/problem-message.tsx';
import { Tabs } from '../components/tabs.tsx';
import { EmbedTab } from './embed-tab.tsx';
import { PlaygroundTab } from './playground-tab.tsx';
import { SearchTab } from './search-tab.tsx';
import { DraftTab } from './generation/draft-tab.tsx';
import { useOrigin, type Origin } from './generation/use-origin.ts';
import { SettingsTab } from './settings-tab.tsx';
import { getBotFormKey } from './use-bot-form.ts';
import { VersionPage } from './versions/version-page.tsx';
import { VersionsTab } from './versions/versions-tab.tsx';

// The script of flows is loaded on first use.
const FlowsTab = lazy(async () => ({ default: (await import('../flows/flow-pages.tsx')).FlowsTab }));

const tabs = [
  ['draft', 'Draft'],
  ['settings', 'Settings'],
  ['documents', 'Documents'],
  ['flows', 'Flows'],
  ['playground', 'Playground'],
  ['search', 'Retrieval test'],
  ['embed', 'Embed'],
  ['versions', 'Versions'],
] as const;

export interface BotPageProps {
  id: string;
  tab: string;
  /** Segments of the URL after the name of the tab. */
  rest: readonly string[];
  query: Readonly<Record<string, string>>;
}

export function BotPage({ id, tab, rest, query }: BotPageProps) {
  const { client, forms } = useSession();
  const may = usePermission();
  const isChanged = getBotFormKey(id) in useStore(forms);
  const bot = useLoad((signal) => client.get<BotRead>(path`/api/bots/${id}`, signal), [client, id]);
  const origin = useOrigin(id, tab === 'draft' || bot.data?.status === 'draft');
  if (!tabs.some(([each]) => each === tab) || !isKnownAddress(tab, rest)) return <NoSuchPage />;
  return (
    <Page title={bot.data?.name ?? 'Bot'} tools={bot.data && <Badge state={bot.data.status} />}>
      <Tabs
        label="Parts of the bot"
        current={tab}
        tabs={tabs
          .filter(([each]) => each !== 'playground' || may('bots:write', 'member'))
          .filter(([each]) => each !== 'draft' || tab === 'draft' || isGeneratedDraft(bot, origin))
          .map(([each, name]) => ({
            id: each,
            name: each === 'settings' && isChanged ? `${name} (not saved)` : name,
            href: buildHref(['bots', id, each]),
          }))}
      />
      <Tab id={id} tab={tab} rest={rest} query={query} bot={bot} origin={origin} />
    </Page>
  );
}

interface TabProps extends BotPageProps {
  bot: Loaded<BotRead>;
  origin: Loaded<Origin | null>;
}

/**
 * Content of a tab. Tabs such as documents and search work without the bot's settings, which an API key may
 * not be permitted to read.
 */
function Tab({ id, tab, rest, query, bot, origin }: TabProps) {
  if (tab === 'documents') return <DocumentsTab botId={id} />;
  if (tab === 'flows') return <FlowsTab botId={id} />;
  if (tab === 'playground') return <PlaygroundTab botId={id} />;
  if (tab === 'search') return <SearchTab botId={id} />;
  if (tab === 'embed') return <EmbedTab botId={id} bot={bot} />;
  if (tab === 'versions' && rest.length === 0) return <VersionsTab botId={id} onRestored={bot.set} />;
  return (
    <>
      <ProblemMessage problem={bot.problem} onRetry={bot.reload} />
      {bot.data && (
        <BotTab tab={tab} rest={rest} query={query} bot={bot.data} origin={origin} set={bot.set} />
      )}
    </>
  );
}

type BotTabProps = Omit<TabProps, 'id' | 'bot'> & { bot: BotRead; set(bot: BotRead): void };

function BotTab({ tab, rest: [version], query, bot, origin, set }: BotTabProps) {
  if (tab === 'draft') return <DraftTab bot={bot} origin={origin} onChange={set} />;
  if (version === undefined) return <SettingsTab bot={bot} onChange={set} />;
  const { with: other = '' } = query;
  return (
    <VersionPage
      key={version}
      bot={bot}
      version={Number(version)}
      other={VERSION.test(other) && other !== version ? Number(other) : null}
      onRestored={set}
    />
  );
}

const VERSION = /^[1-9]\d{0,8}$/;

/** Whether the URL exists. Only the versions tab has URLs below its own. */
function isKnownAddress(tab: string, [version, ...more]: readonly string[]): boolean {
  if (version === undefined) return true;
  return tab === 'versions' && more.length === 0 && VERSION.test(version);
}

/** Whether the bot was generated from a description and is still a draft. */
function isGeneratedDraft(bot: Loaded<BotRead>, origin: Loaded<Origin | null>): boolean {
  return bot.data?.status === 'draft' && Boolean(origin.data);
}
