import type { ReactNode } from 'react';
import { Page } from '../components/page/page.tsx';
import { Tabs } from '../components/page/tabs.tsx';
import { buildHref } from '../router.ts';
import { canManage, type Team } from './team.ts';

const isSignedInManager = (team: Team) => canManage(team) && team.isSession;

/** Pages of the team area, in groups. Each group is an entry of the sidebar. */
const groups = [
  {
    title: 'Members',
    tabs: [
      { id: 'members', name: 'Members', isShown: () => true },
      { id: 'invitations', name: 'Invitations', isShown: canManage },
    ],
  },
  {
    title: 'API keys',
    tabs: [
      { id: 'keys', name: 'API keys', isShown: isSignedInManager },
      { id: 'requests', name: 'Requests', isShown: canManage },
      { id: 'tools', name: 'Tool calls', isShown: canManage },
    ],
  },
  { title: 'Audit log', tabs: [{ id: 'audit', name: 'Audit log', isShown: canManage }] },
  {
    title: 'Workspace',
    tabs: [
      { id: 'settings', name: 'General', isShown: canManage },
      { id: 'workspaces', name: 'Sub-workspaces', isShown: canManage },
    ],
  },
];

export function isTeamTab(id: string): boolean {
  return groups.some(({ tabs }) => tabs.some((tab) => tab.id === id));
}

export interface TeamFrameProps {
  team: Team;
  /** Id of the tab of the team area that is open. */
  tab: string;
  /** Buttons at the right of the page's title. */
  tools?: ReactNode;
  children: ReactNode;
}

/** Page of the console's team area, with tabs of the pages that belong together. */
export function TeamFrame({ team, tab, tools, children }: TeamFrameProps) {
  const group = groups.find(({ tabs }) => tabs.some(({ id }) => id === tab))!;
  const shown = group.tabs.filter(({ isShown }) => isShown(team));
  return (
    <Page
      title={group.title}
      tools={tools}
      tabs={
        shown.length > 1 && (
          <Tabs
            label={`Pages of ${group.title}`}
            current={tab}
            tabs={shown.map(({ id, name }) => ({ id, name, href: buildHref(['team', id]) }))}
          />
        )
      }
    >
      {children}
    </Page>
  );
}
