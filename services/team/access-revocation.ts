import type { Database } from '../../database/database.ts';
import type { InvitationRepository } from '../../repositories/team/invitation.repository.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { signalInvitation } from './invitation-commands.ts';
import { canInvite } from './invitation-rules.ts';
import { hasRole } from './roles.ts';

export interface AccessRevocationDeps {
  members: MemberRepository;
  invitations: InvitationRepository;
  outbox: OutboxService;
}

/**
 * Revokes what a user could do through a role that they have lost, in all workspaces, since roles are
 * inherited. Call this in each transaction that takes a role away.
 */
export class AccessRevocation {
  readonly #deps: AccessRevocationDeps;

  constructor(deps: AccessRevocationDeps) {
    this.#deps = deps;
  }

  /**
   * Revokes what needs a role that the user has lost: memberships in workspaces that they created, sessions,
   * API keys and pending invitations.
   */
  async revoke(db: Database, userId: string): Promise<void> {
    const { members, invitations, outbox } = this.#deps;
    await this.#leaveCreated(db, userId);
    await members.deleteSessionsWithoutRole(db, userId);
    await members.revokeKeysWithoutRole(db, userId);
    const sentInvitations = await invitations.listPendingSentBy(db, userId);
    const revokedIds = sentInvitations
      .filter(({ inviterRole }) => !canInvite(inviterRole))
      .map(({ id }) => id);
    for (const invitation of await invitations.markAllRevoked(db, revokedIds))
      await outbox.command({ db, orgId: invitation.orgId }, signalInvitation(invitation, 'revoke'));
  }

  /**
   * Removes the user from workspaces that they created below a workspace in which they may no longer create
   * workspaces.
   */
  async #leaveCreated(db: Database, userId: string): Promise<void> {
    const { members } = this.#deps;
    // Repeats for each level of the hierarchy: the user's role in a workspace may depend on the workspace
    // above.
    for (let isMore = true; isMore;) {
      const createdMemberships = await members.listByCreator(db, userId);
      const lostMemberships = createdMemberships.filter(({ roleAbove }) => !hasRole(roleAbove, 'admin'));
      if (lostMemberships.length > 0)
        await members.deleteByCreator(
          db,
          lostMemberships.map(({ id }) => id),
        );
      isMore = lostMemberships.length > 0;
    }
  }
}
