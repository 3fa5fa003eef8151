import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { getContactName } from '../contacts/contact-name.ts';
import { getConversationName } from '../conversations/inbox/conversation-name.ts';
import { withQuery } from '../client/paths.ts';
import type { Bot, Contact, Conversation, Page } from '../client/types.ts';
import { useTheme } from '../state/use-preferences.ts';
import { buildHref, goTo } from '../router.ts';
import {
  IconBots,
  IconContacts,
  IconConversations,
  IconHelp,
  IconMoon,
  IconPlus,
  IconReference,
  IconSearch,
  IconSun,
  IconUser,
} from './icons.ts';
import type { NavSection } from './nav-entries.ts';
import { usePermission } from '../session/use-permission.ts';
import { useApi } from '../state/use-api.ts';
import { useDebounced } from '../state/use-debounced.ts';

export interface PaletteProps {
  sections: readonly NavSection[];
  /**
   * Number of times that the user has opened the command palette. The palette opens each time this number
   * changes.
   */
  openings: number;
}

const MAX_RESULTS = 5;
const PAUSE_MS = 200;
const MIN_QUERY = 2;

/** Command palette: searches pages, bots, conversations, contacts and actions. */
export function Palette({ sections, openings }: PaletteProps) {
  const [[store, spotlight]] = useState(createSpotlight);
  useEffect(() => spotlight.open(), [openings]);
  const [query, setQuery] = useState('');
  const groups: SpotlightActionGroupData[] = [
    ...sections.map(({ name, entries }) => ({
      group: name,
      actions: entries.map(({ name: label, href, icon: Icon }) => ({
        id: href,
        label,
        leftSection: <Icon />,
        onClick: () => goTo(href),
      })),
    })),
    { group: 'Bots', actions: useBotActions() },
    ...useSearchGroups(query),
    { group: 'Actions', actions: useGeneralActions() },
  ];
  return (
    <Spotlight
      store={store}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      nothingFound="No results"
      highlightQuery
      scrollable
      maxHeight={420}
      lockScroll={false}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      searchProps={{
        leftSection: <IconSearch />,
        placeholder: 'Search pages, bots, conversations, contacts…',
        'aria-label': 'Search pages, bots, conversations, contacts and actions',
      }}
    />
  );
}

function useBotActions() {
  const { data } = useApi<Page<Bot>>('/api/bots?page_size=100');
  return (data?.items ?? []).map(({ id, name, description }) => ({
    id,
    label: name,
    ...(description && { description }),
    leftSection: <IconBots />,
    onClick: () => goTo(buildHref(['bots', id])),
  }));
}

/** Returns conversations and contacts that the API finds for the text in the command palette. */
function useSearchGroups(typed: string): SpotlightActionGroupData[] {
  const may = usePermission();
  const q = useDebounced(typed.trim(), PAUSE_MS);
  const isLong = q.length >= MIN_QUERY;
  const url = (list: string): string => withQuery(list, { q, page_size: MAX_RESULTS });
  const conversations = useApi<Page<Conversation>>(isLong ? url('/api/conversations') : null);
  const mayReadContacts = may('contacts:read', 'viewer');
  const contacts = useApi<Page<Contact>>(isLong && mayReadContacts ? url('/api/contacts') : null);
  if (!isLong) return [];
  // The search text is also the keyword of each result: the palette hides actions that do not match it, but
  // the API searches texts that results do not show.
  const keywords = q;
  return [
    {
      group: 'Conversations',
      actions: (conversations.data?.items ?? []).map((conversation) => ({
        id: `conversation ${conversation.id}`,
        label: getConversationName(conversation),
        description: conversation.title ?? conversation.first_question ?? '',
        keywords,
        leftSection: <IconConversations />,
        onClick: () => goTo(buildHref(['conversations', conversation.id])),
      })),
    },
    {
      group: 'Contacts',
      actions: (contacts.data?.items ?? []).map((contact) => ({
        id: `contact ${contact.id}`,
        label: getContactName(contact),
        description: contact.email ?? '',
        keywords,
        leftSection: <IconContacts />,
        onClick: () => goTo(buildHref(['contacts', contact.id])),
      })),
    },
  ];
}

function useGeneralActions() {
  const { theme, setTheme } = useTheme();
  const isDark = theme === 'dark';
  const open = (href: string) => () => void window.open(href, '_blank', 'noopener');
  return [
    {
      id: 'create bot',
      label: 'Create bot',
      leftSection: <IconPlus />,
      onClick: () => goTo(buildHref(['bots', 'new'])),
    },
    {
      id: 'account',
      label: 'Your account',
      leftSection: <IconUser />,
      onClick: () => goTo(buildHref(['account'])),
    },
    {
      id: 'theme',
      label: isDark ? 'Use the light theme' : 'Use the dark theme',
      leftSection: isDark ? <IconSun /> : <IconMoon />,
      onClick: () => setTheme(isDark ? 'light' : 'dark'),
    },
    { id: 'guides', label: 'Open guides', leftSection: <IconHelp />, onClick: open('/docs/guides') },
    { id: 'reference', label: 'Open API reference', leftSection: <IconReference />, onClick: open('/docs') },
  ];
}
