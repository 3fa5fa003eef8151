import type { InvitedRole } from '../../entities/team/invitation.entity.ts';
import {
  invitationWorkflowId,
  type SignalCommand,
  type StartCommand,
} from '../../core/workflows/commands.ts';

interface InvitationKey {
  id: string;
  orgId: string;
  role: InvitedRole;
}

export function startInvitation(invitation: InvitationKey): StartCommand<'invitation'> {
  return { ...toInvitationTarget(invitation), action: 'start' };
}

export function signalInvitation(
  invitation: InvitationKey,
  signal: 'accept' | 'revoke' | 'resend',
  signalArgs: string[] = [],
): SignalCommand<'invitation'> {
  return { ...toInvitationTarget(invitation), action: 'signal', signal, signalArgs };
}

function toInvitationTarget({ id, orgId, role }: InvitationKey) {
  return {
    workflow: 'invitation' as const,
    workflowId: invitationWorkflowId(id),
    args: [{ orgId, invitationId: id }] as [{ orgId: string; invitationId: string }],
    summary: `Invitation as ${role}`,
  };
}
