import { Menu } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { Invitation, Confirmation } from '../../client/types.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { showConfirmation, showError } from '../../components/page/notices.ts';
import { PersonAvatar } from '../../components/person-avatar.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';
import { Status, type Tone } from '../../components/lists/status.tsx';
import { useSession } from '../../session/session.tsx';
import { IconSend, IconTrash } from '../../shell/icons.ts';
import { useAction } from '../../state/use-action.ts';
import { nameRole } from '../team.ts';
import { SentInvitations } from './sent-invitations.tsx';
import { useReload } from '../../state/use-reload.ts';

export interface InvitationTableProps {
  /** URL of the workspace's invitations in the API. */
  url: string;
  invitations: readonly Invitation[];
}

export function InvitationTable({ url, invitations }: InvitationTableProps) {
  const { client } = useSession();
  const reloadUrl = useReload();
  const [sent, setSent] = useState<Invitation | null>(null);
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const reload = () => reloadUrl(url);
  const resend = useAction(
    async ({ id }: Invitation) => {
      setSent(await client.post<Invitation>(url + path`/${id}/resend`));
      await reload();
    },
    ({ message }) => showError(message),
  );
  const revoke = async ({ id }: Invitation): Promise<void> => {
    showConfirmation((await client.delete<Confirmation>(url + path`/${id}`)).message);
    await reload();
  };
  const columns: DataColumn<Invitation>[] = [
    {
      name: 'Email',
      sortBy: ({ email }) => email,
      render: ({ email }) => (
        <span className="person-cell">
          <PersonAvatar name={email} />
          <strong>{email}</strong>
        </span>
      ),
    },
    { name: 'Role', sortBy: ({ role }) => role, render: ({ role }) => nameRole(role) },
    {
      name: 'Status',
      sortBy: ({ status }) => status,
      render: (invitation) => <InvitationStatus invitation={invitation} />,
    },
    {
      name: 'Invited',
      sortBy: ({ created_at: at }) => at,
      render: ({ created_at: at, invited_by: by }) => (
        <>
          <RelativeTime at={at} />
          {by && <span className="cell-note">by {by}</span>}
        </>
      ),
    },
    {
      name: 'Actions',
      kind: 'actions',
      render: (invitation) =>
        (invitation.status === 'pending' || invitation.status === 'expired') && (
          <RowMenu about={invitation.email}>
            <Menu.Item leftSection={<IconSend />} onClick={() => resend.run(invitation)}>
              Resend
            </Menu.Item>
            {invitation.status === 'pending' && (
              <Menu.Item
                className="danger-item"
                leftSection={<IconTrash />}
                onClick={() => setRevoked(invitation)}
              >
                Revoke
              </Menu.Item>
            )}
          </RowMenu>
        ),
    },
  ];
  return (
    <>
      <DataTable label="Invitations" rows={invitations} columns={columns} />
      {sent !== null && (
        <Dialog title="Invitation sent" size="lg" onClose={() => setSent(null)}>
          <SentInvitations invitations={[sent]} onClose={() => setSent(null)} />
        </Dialog>
      )}
      {revoked !== null && (
        <ConfirmDialog
          question={`Revoke the invitation for ${revoked.email}?`}
          consequence="Its links will stop working."
          action="Revoke"
          onConfirm={() => revoke(revoked)}
          onClose={() => setRevoked(null)}
        />
      )}
    </>
  );
}

const statuses: Record<Invitation['status'], readonly [Tone, string]> = {
  pending: ['busy', 'Pending'],
  accepted: ['good', 'Accepted'],
  revoked: ['quiet', 'Revoked'],
  expired: ['bad', 'Expired'],
};

const mailTexts: Record<NonNullable<Invitation['mail_state']>, string> = {
  pending: 'Sending…',
  sent: 'Email sent',
  kept: 'Saved at /dev/mail',
  suppressed: "The address doesn't accept email",
  withdrawn: 'Not sent: the link was no longer valid',
  refused: 'Email rejected',
  failed: 'Email failed',
};

function InvitationStatus({ invitation }: { invitation: Invitation }) {
  const { status, mail_state: mail, reminded_at: remindedAt, accepted_at: acceptedAt } = invitation;
  const [tone, name] = statuses[status];
  return (
    <>
      <Status tone={tone}>{name}</Status>
      <span className="cell-note">
        {status === 'pending' && (
          <>
            {mailTexts[mail ?? 'pending']}
            {remindedAt !== null && (
              <>
                {' · '}reminded <RelativeTime at={remindedAt} />
              </>
            )}
            {' · '}expires <RelativeTime at={invitation.expires_at} />
          </>
        )}
        {status === 'expired' && <RelativeTime at={invitation.expires_at} />}
        {status === 'accepted' && <RelativeTime at={acceptedAt} />}
      </span>
    </>
  );
}
