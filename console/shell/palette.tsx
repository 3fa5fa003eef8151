import { useMantineColorScheme } from '@mantine/core';
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import type { BotRead, Page } from '../client/types.ts';
import { buildHref, goTo } from '../router.ts';
import {
  IconBots,
  IconHelp,
  IconMoon,
  IconPlus,
  IconReference,
  IconSearch,
  IconSun,
  IconUser,
} from './icons.ts';
import type { NavSection } from './nav-entries.ts';
import { useApi } from '../state/queries.ts';

export interface PaletteProps {
  sections: readonly NavSection[];
  /** Number of times that the user has asked for the palette. It opens each time. */
  openings: number;
}

/** Command palette: searches pages, bots and actions. */
export function Palette({ sections, openings }: PaletteProps) {
  const [[store, spotlight]] = useState(createSpotlight);
  useEffect(() => spotlight.open(), [openings]);
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
    { group: 'Actions', actions: useGeneralActions() },
  ];
  return (
    <Spotlight
      store={store}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      shortcut={null}
      nothingFound="No results"
      highlightQuery
      scrollable
      maxHeight={420}
      lockScroll={false}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      searchProps={{
        leftSection: <IconSearch />,
        placeholder: 'Search pages, bots and actions…',
        'aria-label': 'Search pages, bots and actions',
      }}
    />
  );
}

function useBotActions() {
  const { data } = useApi<Page<BotRead>>('/api/bots?page_size=100');
  return (data?.items ?? []).map(({ id, name, description }) => ({
    id,
    label: name,
    ...(description && { description }),
    leftSection: <IconBots />,
    onClick: () => goTo(buildHref(['bots', id])),
  }));
}

function useGeneralActions() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const isDark = colorScheme === 'dark';
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
      onClick: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
    { id: 'guides', label: 'Open guides', leftSection: <IconHelp />, onClick: open('/docs/guides') },
    { id: 'reference', label: 'Open API reference', leftSection: <IconReference />, onClick: open('/docs') },
  ];
}
