import type { Database } from '../../database/database.ts';
import type { InvitationRepository } from '../../repositories/team/invitation.repository.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';
import { signalInvitation } from './invitation-commands.ts';

export interface FormerRightsDeps {
  members: MemberRepository;
  invitations: InvitationRepository;
  outbox: OutboxService;
}

/**
 * What somebody has open by a role that is theirs no more: wherever that is, for it may have come from a workspace above.
 * Follows each loss of a role, in its transaction.
 */
export class FormerRights {
  readonly #deps: FormerRightsDeps;

  constructor(deps: FormerRightsDeps) {
    this.#deps = deps;
  }

  /** Workspaces that they made, sessions, keys, and invitations that they could not send any more. */
  async end(db: Database, userId: string): Promise<void> {
    const { members, invitations, outbox } = this.#deps;
    await members.leaveMade(db, userId);
    await members.endUselessSessions(db, userId);
    await members.revokeUselessKeys(db, userId);
    for (const invitation of await invitations.revokeUnentitled(db, userId))
      await outbox.command({ db, orgId: invitation.orgId }, signalInvitation(invitation, 'revoke'));
  }
}
