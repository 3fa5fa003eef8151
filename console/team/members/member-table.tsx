import { Menu } from '@mantine/core';
import { useState } from 'react';
import type { Member } from '../../client/types.ts';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { PersonAvatar } from '../../components/person-avatar.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';
import { IconMove, IconOwner, IconRole, IconSignOut, IconTrash } from '../../shell/icons.ts';
import { canManage, canTransferOwnership, roleNames, type Team } from '../team.ts';
import { MemberDialogs, type MemberStep } from './member-dialogs.tsx';
import { useMembers } from './use-members.ts';

interface MemberRow extends Member {
  id: string;
}

/** Table of the members of a workspace, with the actions that the user's role permits. */
export function MemberTable({ team }: { team: Team }) {
  const members = useMembers(team);
  const [step, setStep] = useState<MemberStep | null>(null);
  const columns: DataColumn<MemberRow>[] = [
    {
      name: 'Name',
      sortBy: ({ full_name: name }) => name.toLocaleLowerCase(),
      render: (member) => <MemberName member={member} isSelf={member.user_id === team.userId} />,
    },
    { name: 'Role', sortBy: ({ role }) => role, render: ({ role }) => roleNames[role] },
    {
      name: 'Joined',
      sortBy: ({ joined_at: at }) => at,
      render: ({ joined_at: at }) => <RelativeTime at={at} />,
    },
    {
      name: 'Last active',
      sortBy: ({ last_login_at: at }) => at ?? '',
      render: ({ last_login_at: at }) => (at === null ? 'Never' : <RelativeTime at={at} />),
    },
    {
      name: 'Actions',
      kind: 'actions',
      render: (member) => <MemberMenu team={team} member={member} onStep={setStep} />,
    },
  ];
  return (
    <>
      <LoadedView loaded={members}>
        {(all) => (
          <DataTable
            label="Members"
            rows={all.map((member) => ({ ...member, id: member.membership_id }))}
            columns={columns}
          />
        )}
      </LoadedView>
      <MemberDialogs team={team} step={step} onChange={members.reload} onClose={() => setStep(null)} />
    </>
  );
}

function MemberName({ member, isSelf }: { member: Member; isSelf: boolean }) {
  return (
    <span className="person-cell">
      <PersonAvatar name={member.full_name} />
      <span>
        <strong dir="auto">{member.full_name}</strong>
        {isSelf && <span className="tag">You</span>}
        <span className="cell-note">
          {member.email}
          {!member.is_verified && ' · not verified'}
        </span>
      </span>
    </span>
  );
}

interface MemberMenuProps {
  team: Team;
  member: Member;
  onStep(step: MemberStep): void;
}

function MemberMenu({ team, member, onStep }: MemberMenuProps) {
  const { full_name: name } = member;
  if (member.user_id === team.userId)
    return (
      team.isSession && (
        <RowMenu about={name}>
          <Menu.Item
            className="danger-item"
            leftSection={<IconSignOut />}
            onClick={() => onStep({ kind: 'leave', member })}
          >
            Leave workspace
          </Menu.Item>
        </RowMenu>
      )
    );
  if (!canManage(team) || (member.role === 'owner' && team.role !== 'owner')) return null;
  return (
    <RowMenu about={name}>
      <Menu.Item leftSection={<IconRole />} onClick={() => onStep({ kind: 'role', member })}>
        Change role
      </Menu.Item>
      <Menu.Item leftSection={<IconMove />} onClick={() => onStep({ kind: 'move', member })}>
        Move to another workspace
      </Menu.Item>
      {canTransferOwnership(team, member) && (
        <Menu.Item leftSection={<IconOwner />} onClick={() => onStep({ kind: 'transfer', member })}>
          Transfer ownership
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        className="danger-item"
        leftSection={<IconTrash />}
        onClick={() => onStep({ kind: 'remove', member })}
      >
        Remove
      </Menu.Item>
    </RowMenu>
  );
}
