import { EmptyState } from '../../components/empty-state.tsx';
import { RowSkeletons } from '../../components/page-skeleton.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import type { Invitation } from '../../client/types.ts';
import { IconSend } from '../../shell/icons.ts';
import { getProblem, useApi } from '../../state/queries.ts';
import { TeamFrame } from '../team-frame.tsx';
import type { Team } from '../team.ts';
import { InvitationTable } from './invitation-table.tsx';
import { InviteButton } from './members-page.tsx';

/**
 * Poll interval while an invitation is pending: the console gets no event when its mail is sent or it is
 * accepted.
 */
const PENDING_EVERY_MS = 5000;

export function InvitationsPage({ team }: { team: Team }) {
  return (
    <TeamFrame team={team} tab="invitations" tools={<InviteButton team={team} />}>
      <InvitationList team={team} />
    </TeamFrame>
  );
}

/** Invitations of a workspace. */
export function InvitationList({ team }: { team: Team }) {
  const url = `${team.url}/invitations`;
  const invitations = useApi<Invitation[]>(url, {
    everyMs: (all) => (all?.some(({ status }) => status === 'pending') ? PENDING_EVERY_MS : false),
  });
  const problem = getProblem(invitations);
  return (
    <>
      <ProblemMessage problem={problem} onRetry={() => void invitations.refetch()} />
      {invitations.isPending && problem === null && <RowSkeletons />}
      {invitations.data?.length === 0 && (
        <EmptyState icon={<IconSend size={32} />} title="No pending invitations">
          Teammates you invite are listed here until they join.
        </EmptyState>
      )}
      {invitations.data !== undefined && invitations.data.length > 0 && (
        <InvitationTable url={url} invitations={invitations.data} />
      )}
    </>
  );
}
