import { NoSuchPage } from '../no-such-page.tsx';
import { useSession } from '../session/session.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Page } from '../components/page.tsx';
import { Tabs } from '../components/tabs.tsx';
import { buildHref } from '../router.ts';
import { ApiKeysTab } from './api-keys-tab.tsx';
import { AuditTab } from './audit-tab.tsx';
import { InvitationsTab } from './invitations-tab.tsx';
import { MembersTab } from './members-tab.tsx';
import { RequestsTab } from './requests-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { ToolsTab } from './tools-tab.tsx';
import { canManage, toTeam, type Team } from './team.ts';
import { WorkspacePart } from './workspaces/workspace-part.tsx';
import { WorkspacesTab } from './workspaces/workspaces-tab.tsx';

export interface TeamPageProps {
  tab: string;
  /** Id of the lower workspace to show, on the tab of workspaces. */
  part: string | undefined;
  /** Filters of the log that the tab shows, from the URL. */
  filters: Record<string, string>;
}

/** Shows one tab of the team: members, invitations, API keys, logs or workspaces. */
export function TeamPage({ tab, part, filters }: TeamPageProps) {
  const { me } = useSession();
  if (!tabs.some(({ id }) => id === tab) || (part !== undefined && tab !== 'workspaces'))
    return <NoSuchPage />;
  return (
    <Page title="Team">
      <LoadedView loaded={me}>
        {(known) => {
          const team = toTeam(known);
          if (team === null) return <p className="empty">You are in no workspace.</p>;
          return (
            <>
              <Tabs label="Parts of the team" current={tab} tabs={listTabs(team)} />
              <Tab team={team} tab={tab} part={part} filters={filters} />
            </>
          );
        }}
      </LoadedView>
    </Page>
  );
}

const tabs = [
  { id: 'members', name: 'Members', isFor: () => true },
  { id: 'invitations', name: 'Invitations', isFor: canManage },
  { id: 'keys', name: 'API keys', isFor: (team: Team) => canManage(team) && team.isSession },
  { id: 'audit', name: 'Audit log', isFor: canManage },
  { id: 'requests', name: 'Requests', isFor: canManage },
  { id: 'tools', name: 'Tools', isFor: canManage },
  { id: 'workspaces', name: 'Workspaces', isFor: canManage },
  { id: 'settings', name: 'Settings', isFor: canManage },
];

function listTabs(team: Team) {
  return tabs
    .filter(({ isFor }) => isFor(team))
    .map(({ id, name }) => ({ id, name, href: buildHref(['team', id]) }));
}

function Tab({ team, tab, part, filters }: TeamPageProps & { team: Team }) {
  if (tab === 'invitations') return <InvitationsTab team={team} />;
  if (tab === 'keys') return <ApiKeysTab team={team} />;
  if (tab === 'audit') return <AuditTab team={team} filters={filters} />;
  if (tab === 'requests') return <RequestsTab filters={filters} />;
  if (tab === 'tools') return <ToolsTab filters={filters} />;
  if (tab === 'workspaces')
    return part === undefined ? (
      <WorkspacesTab team={team} />
    ) : (
      <WorkspacePart key={part} id={part} here={team} />
    );
  if (tab === 'settings') return <SettingsTab team={team} />;
  return <MembersTab team={team} />;
}
