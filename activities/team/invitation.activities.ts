import type { Database } from '../../database/database.ts';
import type { InvitationService } from '../../services/team/invitation-service.ts';
import type { InvitationInput } from '../../core/workflows/commands.ts';

export type InvitationActivities = ReturnType<typeof createInvitationActivities>;

export function createInvitationActivities({
  database: db,
  invitations,
}: {
  database: Database;
  invitations: InvitationService;
}) {
  return {
    mailInvitation: ({ orgId, invitationId }: InvitationInput) =>
      invitations.mailLink({ orgId, db }, invitationId),
    remindOfInvitation: ({ orgId, invitationId }: InvitationInput) =>
      invitations.remind({ orgId, db }, invitationId),
    expireInvitation: ({ orgId, invitationId }: InvitationInput) =>
      invitations.expire({ orgId, db }, invitationId),
    revokeInvitation: ({ orgId, invitationId }: InvitationInput) =>
      invitations.end({ orgId, db }, invitationId),
    renewInvitation: async ({ orgId, invitationId, revision }: InvitationInput & { revision: number }) => {
      await invitations.renew({ orgId, db }, invitationId, revision);
    },
  };
}
