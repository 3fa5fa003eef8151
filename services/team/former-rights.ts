import type { Database } from '../../database/database.ts';
import type { InvitationRepository } from '../../repositories/team/invitation.repository.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { signalInvitation } from './invitation-commands.ts';
import { mayInvite } from './invitation-rules.ts';
import { hasRole } from './roles.ts';

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
    await this.#leaveMade(db, userId);
    await members.deleteUselessSessions(db, userId);
    await members.revokeUselessKeys(db, userId);
    const sent = await invitations.listPendingOf(db, userId);
    const lost = sent.filter(({ inviterRole }) => !mayInvite(inviterRole)).map(({ id }) => id);
    for (const invitation of await invitations.markAllRevoked(db, lost))
      await outbox.command({ db, orgId: invitation.orgId }, signalInvitation(invitation, 'revoke'));
  }

  /** Takes somebody out of the workspaces that they made below such as they could make none below any more. */
  async #leaveMade(db: Database, userId: string): Promise<void> {
    const { members } = this.#deps;
    // Each level may have been what the next one stood on.
    for (let isMore = true; isMore;) {
      const made = await members.listMade(db, userId);
      const lost = made.filter(({ roleAbove }) => !hasRole(roleAbove, 'admin'));
      if (lost.length > 0)
        await members.deleteMade(
          db,
          lost.map(({ id }) => id),
        );
      isMore = lost.length > 0;
    }
  }
}
