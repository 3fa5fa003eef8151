import { useState } from 'react';
import type { Invitation } from '../client/types.ts';
import { useInterval } from '../state/use-interval.ts';
import { useLoad } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { InviteForm } from './invite-form.tsx';
import { SentInvitation } from './sent-invitation.tsx';
import type { Team } from './team.ts';

/**
 * Poll interval while an invitation is pending: the console gets no event when its mail is sent or it is
 * accepted.
 */
const PENDING_EVERY_MS = 5000;

export function InvitationsTab({ team }: { team: Team }) {
  const { client } = useSession();
  const url = `${team.url}/invitations`;
  const invitations = useLoad((signal) => client.get<Invitation[]>(url, signal), [client, url]);
  const [sent, setSent] = useState<Invitation | null>(null);
  const handleSent = (invitation: Invitation): void => {
    setSent(invitation);
    invitations.reload();
  };
  const isPending = invitations.data?.some(({ status }) => status === 'pending') === true;
  useInterval(invitations.reload, isPending ? PENDING_EVERY_MS : null);
  return (
    <>
      <InviteForm url={url} onInvited={handleSent} />
      {sent !== null && <SentInvitation key={sent.link} invitation={sent} onClose={() => setSent(null)} />}
      <LoadedView loaded={invitations}>
        {(all) =>
          all.length === 0 ? (
            <p className="empty">There are no invitations yet.</p>
          ) : (
            <InvitationTable url={url} invitations={all} onSent={handleSent} onChange={invitations.reload} />
          )
        }
      </LoadedView>
    </>
  );
}
