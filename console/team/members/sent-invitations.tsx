import { Button, Group, Text } from '@mantine/core';
import type { Invitation } from '../../client/types.ts';
import { CopyField } from '../../components/forms/copy-field.tsx';
import { MailLocation } from '../../components/page/mail-location.tsx';
import { useMeta } from '../../state/use-meta.ts';

export interface SentInvitationsProps {
  /** The sent invitations with their links, which only the response to their creation contains. */
  invitations: readonly Invitation[];
  onClose(): void;
}

/**
 * Confirms that invitations were sent. Shows their links, which the user can send in another way if an email
 * does not arrive.
 */
export function SentInvitations({ invitations, onClose }: SentInvitationsProps) {
  const isMailed = useMeta()?.sends_mail !== false;
  const linked = invitations.filter(({ link }) => link !== null);
  return (
    <>
      <Text role="status">
        {isMailed ? 'We emailed' : 'We created'} a join link{' '}
        {invitations.length === 1
          ? `${isMailed ? 'to' : 'for'} ${invitations[0]!.email}. It replaces earlier links.`
          : `${isMailed ? 'to' : 'for'} each address.`}
      </Text>
      <MailLocation />
      {linked.map(({ id, email, link }) => (
        <CopyField
          key={id}
          label={linked.length === 1 ? 'Invite link' : `Invite link for ${email}`}
          value={link!}
        />
      ))}
      {linked.length > 0 && (
        <p className="hint">
          You can also share the link yourself. The link only works for an account with this verified address.
          You won't be able to see the link again.
        </p>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </>
  );
}
