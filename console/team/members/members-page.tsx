import { Button } from '@mantine/core';
import { useState } from 'react';
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

/** Button that invites people to a workspace. */
export function InviteButton({ team }: { team: Team }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconPlus />} onClick={() => setOpen(true)}>
        Invite teammates
      </Button>
      {isOpen && <InviteDialog team={team} onClose={() => setOpen(false)} />}
    </>
  );
}
