import { path } from '../client/paths.ts';
import type { Invitation, Message } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ActionButton } from '../components/action-button.tsx';
import { Badge } from '../components/badge.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { showConfirmation } from '../components/notices.ts';
import { Table } from '../components/table.tsx';
import { TimeText } from '../components/time-text.tsx';

export interface InvitationTableProps {
  /** URL of the workspace's invitations in the API. */
  url: string;
  invitations: readonly Invitation[];
  onSent(invitation: Invitation): void;
  onChange(): void;
}

export function InvitationTable({ url, invitations, onSent, onChange }: InvitationTableProps) {
  return (
    <Table columns={['Address', 'Role', 'State', 'Invited']} hasActions>
      {invitations.map((invitation) => (
        <tr key={invitation.id} data-id={invitation.id}>
          <td className="wide">{invitation.email}</td>
          <td>
            <Badge state={invitation.role} />
          </td>
          <td>
            <InvitationState invitation={invitation} />
          </td>
          <td>
            <TimeText at={invitation.created_at} />
            {invitation.invited_by && ` by ${invitation.invited_by}`}
          </td>
          <td>
            <InvitationActions url={url} invitation={invitation} onSent={onSent} onChange={onChange} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const mailTexts: Record<NonNullable<Invitation['mail_state']>, string> = {
  pending: 'mail on its way',
  sent: 'mail sent',
  kept: 'mail kept at /dev/mail',
  suppressed: 'the address takes no mail',
  withdrawn: 'not mailed: its link was good no more',
  refused: 'mail refused',
  failed: 'mail failed',
};

function InvitationState({ invitation }: { invitation: Invitation }) {
  const { status, mail_state: mail, reminded_at: remindedAt, accepted_at: acceptedAt } = invitation;
  return (
    <>
      <Badge state={status} />
      {status === 'pending' && <span className="hint"> {mailTexts[mail ?? 'pending']}</span>}
      <p className="hint">
        {status === 'pending' && remindedAt !== null && (
          <>
            reminded <TimeText at={remindedAt} />,{' '}
          </>
        )}
        {status === 'pending' && 'until '}
        {(status === 'pending' || status === 'expired') && <TimeText at={invitation.expires_at} />}
        {status === 'accepted' && <TimeText at={acceptedAt} />}
      </p>
    </>
  );
}

interface InvitationActionsProps extends Omit<InvitationTableProps, 'invitations'> {
  invitation: Invitation;
}

function InvitationActions({ url, invitation, onSent, onChange }: InvitationActionsProps) {
  const { client } = useSession();
  const { email, status } = invitation;
  const own = url + path`/${invitation.id}`;
  const resend = async (): Promise<void> => {
    onSent(await client.post<Invitation>(`${own}/resend`));
  };
  const revoke = async (): Promise<void> => {
    showConfirmation((await client.delete<Message>(own)).message);
    onChange();
  };
  if (status !== 'pending' && status !== 'expired') return null;
  return (
    <div className="row">
      <ActionButton about={`the link to ${email}`} onAction={resend}>
        Resend
      </ActionButton>
      {status === 'pending' && (
        <ConfirmButton
          about={`the invitation of ${email}`}
          question={`Revoke the invitation of ${email}?`}
          consequence="Its links work no more."
          onConfirm={revoke}
        >
          Revoke
        </ConfirmButton>
      )}
    </div>
  );
}
