import { Button } from '@mantine/core';
import { useState } from 'react';
import { buildHref, replaceWith } from '../../router.ts';
import { IconPlus } from '../../shell/icons.ts';
import { TeamFrame } from '../team-frame.tsx';
import { canManage, type Team } from '../team.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberTable } from './member-table.tsx';

export function MembersPage({ team }: { team: Team }) {
  return (
    <TeamFrame team={team} tab="members" tools={canManage(team) && <InviteButton team={team} />}>
      <MemberTable team={team} />
    </TeamFrame>
  );
}

export interface InviteButtonProps {
  team: Team;
  /**
   * Whether the dialog for invitations is open at first. If so, the URL says this until the user closes the
   * dialog.
   */
  isInviting?: boolean;
}

/** Button that invites people to a workspace. */
export function InviteButton({ team, isInviting = false }: InviteButtonProps) {
  const [isOpen, setOpen] = useState(isInviting);
  const close = (): void => {
    setOpen(false);
    if (isInviting) replaceWith(buildHref(['team', 'invitations']));
  };
  return (
    <>
      <Button leftSection={<IconPlus />} onClick={() => setOpen(true)}>
        Invite teammates
      </Button>
      {isOpen && <InviteDialog team={team} onClose={close} />}
    </>
  );
}
