import { path } from '../../client/paths.ts';
import type { Member, Confirmation } from '../../client/types.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { useSession } from '../../session/session.tsx';
import type { Team } from '../team.ts';
import { MoveForm } from './move-form.tsx';
import { RoleForm } from './role-form.tsx';
import { TransferForm } from './transfer-form.tsx';

/** A change of a workspace member for which the console opens a dialog. */
export interface MemberStep {
  kind: 'role' | 'move' | 'transfer' | 'remove' | 'leave';
  member: Member;
}

export interface MemberDialogsProps {
  team: Team;
  step: MemberStep | null;
  onChange(): void;
  onClose(): void;
}

/** Dialog for the change of a member that the user has chosen. */
export function MemberDialogs({ step, ...props }: MemberDialogsProps) {
  if (step === null) return null;
  return <StepDialog {...props} {...step} />;
}

function StepDialog({
  team,
  kind,
  member,
  onChange,
  onClose,
}: Omit<MemberDialogsProps, 'step'> & MemberStep) {
  const { client, me, signOut } = useSession();
  const name = member.full_name;
  const url = team.url + path`/members/${member.membership_id}`;
  const finish = (): void => {
    onClose();
    onChange();
  };
  const removeMember = async (): Promise<void> => {
    await client.delete<Confirmation>(url);
    showConfirmation(`${name} removed`);
    onChange();
  };
  const leave = async (): Promise<void> => {
    await client.delete<Confirmation>(url);
    if (team.isHere) return signOut();
    showConfirmation(`You left ${team.name}`);
    me.reload();
    onChange();
  };
  switch (kind) {
    case 'role':
      return (
        <Dialog title={`Change ${name}'s role`} onClose={onClose}>
          <RoleForm team={team} member={member} url={`${url}/role`} onChanged={finish} />
        </Dialog>
      );
    case 'move':
      return (
        <Dialog title={`Move ${name} to another workspace`} onClose={onClose}>
          <MoveForm team={team} member={member} url={url} onDone={finish} />
        </Dialog>
      );
    case 'transfer':
      return (
        <Dialog title={`Transfer ownership to ${name}`} onClose={onClose}>
          <TransferForm team={team} member={member} onTransferred={finish} />
        </Dialog>
      );
    case 'remove':
      return (
        <ConfirmDialog
          question={`Remove ${name}?`}
          consequence="They lose access immediately, and their API keys in this workspace are revoked."
          action="Remove"
          onConfirm={removeMember}
          onClose={onClose}
        />
      );
    case 'leave':
      return (
        <ConfirmDialog
          question={team.isHere ? 'Leave this workspace?' : `Leave ${team.name}?`}
          consequence={`${team.isHere ? "You'll be signed out, and your" : 'Your'} API keys in the workspace stop working immediately. You need an invitation to come back.`}
          action="Leave"
          onConfirm={leave}
          onClose={onClose}
        />
      );
  }
}
