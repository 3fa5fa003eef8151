import styles from './team.css';
import { adoptStyles } from '../components/theme/adopt-styles.ts';
import { EmptyState } from '../components/lists/empty-state.tsx';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { Page } from '../components/page/page.tsx';
import { NoSuchPage } from '../no-such-page.tsx';
import { useSession } from '../session/session.tsx';
import { IconWorkspace } from '../shell/icons.ts';
import { AuditPage } from './audit/audit-page.tsx';
import { ApiKeysPage } from './keys/api-keys-page.tsx';
import { RequestsPage } from './keys/requests-page.tsx';
import { ToolCallsPage } from './keys/tool-calls-page.tsx';
import { InvitationsPage } from './members/invitations-page.tsx';
import { MembersPage } from './members/members-page.tsx';
import { isTeamTab } from './team-frame.tsx';
import { toTeam, type Team } from './team.ts';
import { SettingsPage } from './workspaces/settings-page.tsx';
import { WorkspacePage } from './workspaces/workspace-page.tsx';
import { WorkspacesPage } from './workspaces/workspaces-page.tsx';

adoptStyles(styles);

export interface TeamPageProps {
  tab: string;
  /** Id of the sub-workspace to show, on the tab of sub-workspaces. */
  part: string | undefined;
  /** Query of the URL: filters of the log that the tab shows, or its open dialog. */
  filters: Record<string, string>;
}

/** Renders the page of the team area that the URL names. */
export function TeamPage({ tab, part, filters }: TeamPageProps) {
  const { me } = useSession();
  if (!isTeamTab(tab) || (part !== undefined && tab !== 'workspaces')) return <NoSuchPage />;
  const team = me.data && toTeam(me.data);
  if (team) return <TeamTab team={team} tab={tab} part={part} filters={filters} />;
  return (
    <Page title="Team">
      <LoadedView loaded={me}>
        {() => (
          <EmptyState icon={<IconWorkspace size={32} />} title="No workspace">
            Accept an invitation or create a workspace first.
          </EmptyState>
        )}
      </LoadedView>
    </Page>
  );
}

function TeamTab({ team, tab, part, filters }: TeamPageProps & { team: Team }) {
  switch (tab) {
    case 'invitations':
      return <InvitationsPage team={team} isInviting={filters['dialog'] === 'invite'} />;
    case 'keys':
      return <ApiKeysPage team={team} />;
    case 'audit':
      return <AuditPage team={team} filters={filters} />;
    case 'requests':
      return <RequestsPage team={team} filters={filters} />;
    case 'tools':
      return <ToolCallsPage team={team} filters={filters} />;
    case 'settings':
      return <SettingsPage team={team} />;
    case 'workspaces':
      return part === undefined ? (
        <WorkspacesPage team={team} />
      ) : (
        <WorkspacePage key={part} id={part} here={team} />
      );
    default:
      return <MembersPage team={team} />;
  }
}
