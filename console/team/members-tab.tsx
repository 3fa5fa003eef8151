import { Badge } from '../components/badge.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Table } from '../components/table.tsx';
import { TimeText } from '../components/time-text.tsx';
import { MemberActions, type MemberActionsProps } from './member-actions.tsx';
import type { Team } from './team.ts';
import { useMembers } from './use-members.ts';

export function MembersTab({ team }: { team: Team }) {
  const members = useMembers(team);
  return (
    <LoadedView loaded={members}>
      {(all) => (
        <Table columns={['Name', 'Role', 'Member since', 'Signed in last']} hasActions>
          {all.map((member) => (
            <MemberRow key={member.membership_id} team={team} member={member} onChange={members.reload} />
          ))}
        </Table>
      )}
    </LoadedView>
  );
}

function MemberRow(props: MemberActionsProps) {
  const { team, member } = props;
  return (
    <tr data-id={member.membership_id}>
      <td className="wide">
        <strong>{member.full_name}</strong> {member.user_id === team.userId && '(you) '}
        <span className="hint">
          {member.email}
          {!member.is_verified && ', not verified'}
        </span>
      </td>
      <td>
        <Badge state={member.role} />
      </td>
      <td>
        <TimeText at={member.joined_at} />
      </td>
      <td>
        <TimeText at={member.last_login_at} otherwise="never" />
      </td>
      <td>
        <MemberActions {...props} />
      </td>
    </tr>
  );
}
