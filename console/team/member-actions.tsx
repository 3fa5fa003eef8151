import { path } from '../client/paths.ts';
import type { Member, Message } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { showConfirmation } from '../components/notices.ts';
import { MoveForm } from './move-form.tsx';
import { RoleForm } from './role-form.tsx';
import { canManage, canTransferOwnership, type Team } from './team.ts';
import { TransferForm } from './transfer-form.tsx';

export interface MemberActionsProps {
  team: Team;
  member: Member;
  onChange(): void;
}

/**
 * Buttons for the actions on a member that the user's role permits. For the user's own membership, the button
 * to leave.
 */
export function MemberActions({ team, member, onChange }: MemberActionsProps) {
  const { client } = useSession();
  const name = member.full_name;
  if (member.user_id === team.userId)
    return team.isSession && <LeaveButton team={team} member={member} onChange={onChange} />;
  if (!canManage(team) || (member.role === 'owner' && team.role !== 'owner')) return null;
  const removeMember = async (): Promise<void> => {
    await client.delete<Message>(buildMemberUrl(team, member));
    showConfirmation(`${name} is no longer a member.`);
    onChange();
  };
  return (
    <div className="row">
      <DialogButton name="Change role" title={`The role of ${name}`} about={`of ${name}`}>
        {(close) => (
          <RoleForm
            team={team}
            member={member}
            url={`${buildMemberUrl(team, member)}/role`}
            onChanged={() => {
              close();
              onChange();
            }}
          />
        )}
      </DialogButton>
      {canTransferOwnership(team, member) && (
        <DialogButton name="Hand over" title={`Make ${name} the owner`} about={`the workspace to ${name}`}>
          {(close) => (
            <TransferForm
              team={team}
              member={member}
              onTransferred={() => {
                close();
                onChange();
              }}
            />
          )}
        </DialogButton>
      )}
      <DialogButton
        name="Move"
        title={`Take ${name} to another workspace`}
        about={`${name} to another workspace`}
      >
        {(close) => (
          <MoveForm
            team={team}
            member={member}
            url={buildMemberUrl(team, member)}
            onDone={() => {
              close();
              onChange();
            }}
          />
        )}
      </DialogButton>
      <ConfirmButton
        about={name}
        question={`Remove ${name}?`}
        consequence="The person’s sessions and API keys in this workspace stop at once."
        onConfirm={removeMember}
      >
        Remove
      </ConfirmButton>
    </div>
  );
}

function LeaveButton({ team, member, onChange }: MemberActionsProps) {
  const { client, me, signOut } = useSession();
  const leave = async (): Promise<void> => {
    await client.delete<Message>(buildMemberUrl(team, member));
    if (team.isHere) return signOut();
    showConfirmation(`You have left ${team.name}.`);
    me.reload();
    onChange();
  };
  return (
    <ConfirmButton
      question={team.isHere ? 'Leave this workspace?' : `Leave ${team.name}?`}
      consequence={`${team.isHere ? 'You are signed out, and your' : 'Your'} API keys there stop at once. To come back as a member, you need an invitation.`}
      onConfirm={leave}
    >
      Leave
    </ConfirmButton>
  );
}

function buildMemberUrl({ url }: Team, { membership_id: id }: Member): string {
  return url + path`/members/${id}`;
}
