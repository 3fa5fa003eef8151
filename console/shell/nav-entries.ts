import type { ComponentType } from 'react';
import type { Me } from '../client/types.ts';
import { dataParts } from '../data/data-parts.ts';
import { buildHref, type Route } from '../router.ts';
import { hasPermission } from '../session/has-permission.ts';
import type { IconProps } from '../components/theme/icon.tsx';
import { canManage, toTeam } from '../team/team.ts';
import {
  IconAnalytics,
  IconApiKey,
  IconAudit,
  IconBell,
  IconBots,
  IconCalendar,
  IconContacts,
  IconConversations,
  IconHome,
  IconInbox,
  IconMembers,
  IconShield,
  IconUsage,
  IconWebhook,
  IconWorkspace,
} from './icons.ts';

export interface NavEntry {
  name: string;
  href: string;
  icon: ComponentType<IconProps>;
  isCurrent: boolean;
  /** Pages below the navigation entry, which the sidebar shows while one of them is open. */
  parts?: readonly Omit<NavEntry, 'icon'>[];
}

export interface NavSection {
  name: string;
  entries: readonly NavEntry[];
}

/** Pages of the team area that belong to each entry in the navigation's section of settings. */
const teamParts = {
  workspace: ['settings', 'workspaces'],
  members: ['members', 'invitations'],
  keys: ['keys', 'requests', 'tools'],
  audit: ['audit'],
};

/** Returns the entries of the console's navigation that the user may open. */
export function listNavSections(me: Me | undefined, { segments }: Route): NavSection[] {
  const [area = 'home', part = 'members'] = segments;
  const team = me === undefined ? null : toTeam(me);
  const isManager = team !== null && canManage(team);
  const may = (scope: Parameters<typeof hasPermission>[1], role: Parameters<typeof hasPermission>[2]) =>
    me !== undefined && hasPermission(me, scope, role);
  const open = (name: string, icon: NavEntry['icon'], ...areas: string[]): NavEntry => ({
    name,
    icon,
    href: buildHref(areas.slice(0, 1)),
    isCurrent: areas.includes(area),
  });
  const openTeam = (name: string, icon: NavEntry['icon'], parts: readonly string[]): NavEntry => ({
    name,
    icon,
    href: buildHref(['team', parts[0]!]),
    isCurrent: area === 'team' && parts.includes(part),
  });
  const showIf = (entry: NavEntry, isShown: boolean): NavEntry[] => (isShown ? [entry] : []);
  const paying = (['usage', 'billing'] as const).filter((each) =>
    may(`${each}:read`, each === 'usage' ? 'viewer' : 'admin'),
  );
  const data = dataParts.map(([each]) => each).filter((each) => may(`${each}:read`, 'admin'));
  return [
    {
      name: 'Work',
      entries: [
        { ...open('Home', IconHome, 'home'), href: buildHref([]) },
        open('Inbox', IconInbox, 'inbox'),
        open('Conversations', IconConversations, 'conversations'),
        ...showIf(open('Contacts', IconContacts, 'contacts'), may('contacts:read', 'viewer')),
        ...showIf(open('Bookings', IconCalendar, 'bookings'), may('bookings:read', 'viewer')),
      ],
    },
    {
      name: 'Build',
      entries: [
        open('Bots', IconBots, 'bots'),
        ...showIf(open('Analytics', IconAnalytics, 'analytics'), may('analytics:read', 'viewer')),
      ],
    },
    {
      name: 'Settings',
      entries: [
        ...showIf(openTeam('Workspace', IconWorkspace, teamParts.workspace), isManager),
        openTeam('Members', IconMembers, teamParts.members),
        ...showIf(openTeam('API keys', IconApiKey, teamParts.keys), isManager && team.isSession),
        ...showIf(open('Webhooks', IconWebhook, 'webhooks'), may('webhooks:read', 'admin')),
        ...showIf(open('Alerts', IconBell, 'alerts'), may('alerts:read', 'viewer')),
        ...(paying.length === 0
          ? []
          : [
              {
                ...open('Usage & billing', IconUsage, ...paying),
                parts: paying.map((each) => open(each === 'usage' ? 'Usage' : 'Billing', IconUsage, each)),
              },
            ]),
        ...showIf(open('Data & security', IconShield, ...data), data.length > 0),
        ...showIf(openTeam('Audit log', IconAudit, teamParts.audit), isManager),
      ],
    },
  ];
}
