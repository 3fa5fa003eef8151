import { EmptyState } from '../../components/lists/empty-state.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import type { Invitation } from '../../client/types.ts';
import { IconSend } from '../../shell/icons.ts';
import { useApi } from '../../state/use-api.ts';
import { TeamFrame } from '../team-frame.tsx';
import type { Team } from '../team.ts';
import { InvitationTable } from './invitation-table.tsx';
import { InviteButton } from './members-page.tsx';

/**
 * Poll interval in milliseconds while an invitation is pending: the console gets no event when the email is
 * sent or the invitation is accepted.
 */
const PENDING_EVERY_MS = 5000;

export interface InvitationsPageProps {
  team: Team;
  /** Whether the page opens with the dialog that invites people. */
  isInviting: boolean;
}

export function InvitationsPage({ team, isInviting }: InvitationsPageProps) {
  return (
    <TeamFrame team={team} tab="invitations" tools={<InviteButton team={team} isInviting={isInviting} />}>
      <InvitationList team={team} />
    </TeamFrame>
  );
}

/** Lists the invitations of a workspace. */
export function InvitationList({ team }: { team: Team }) {
  const url = `${team.url}/invitations`;
  const invitations = useApi<Invitation[]>(url, {
    everyMs: (all) => (all?.some(({ status }) => status === 'pending') ? PENDING_EVERY_MS : false),
  });
  return (
    <LoadedView loaded={invitations}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState icon={<IconSend size={32} />} title="No pending invitations">
            Teammates you invite are listed here until they join.
          </EmptyState>
        ) : (
          <InvitationTable url={url} invitations={all} />
        )
      }
    </LoadedView>
  );
}
