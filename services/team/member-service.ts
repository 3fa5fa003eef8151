import { AppError, invalidField } from '../../core/errors/errors.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { Member, MemberRepository } from '../../repositories/team/member.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { AccessRevocation } from './access-revocation.ts';
import type { Quotas } from '../usage/quotas.ts';
import type { MemberScope } from './member-scope.ts';
import { requireSignedInFor, requireRole } from './roles.ts';

export interface MemberServiceDeps {
  members: MemberRepository;
  orgs: OrgRepository;
  mail: MailService;
  accessRevocation: AccessRevocation;
  quotas: Quotas;
}

/**
 * Manages the members of a workspace. Checks of rights lock the memberships, and a database constraint
 * ensures that each workspace keeps an owner.
 */
export class MemberService {
  readonly #deps: MemberServiceDeps;

  constructor(deps: MemberServiceDeps) {
    this.#deps = deps;
  }

  list(scope: OrgScope): Promise<Member[]> {
    return this.#deps.members.list(scope);
  }

  /**
   * Changes the role of a member.
   * @throws AppError `forbidden` if the caller's role does not allow it, or for a member of another
   *   workspace; `last_owner`; `not_found`
   */
  async setRole(scope: MemberScope, membershipId: string, role: OrgRole): Promise<Member> {
    const { members, accessRevocation, quotas } = this.#deps;
    const callerRole = await members.lockRoles(scope, scope.userId);
    requireRole(callerRole, 'admin');
    const member = await members.lock(scope, membershipId);
    if (role === 'owner') requireOwner(scope, callerRole, 'make a member an owner');
    if (member.role === 'owner') requireOwner(scope, callerRole, 'change an owner’s role');
    requireSignedInFor(scope, role, 'make a member an admin');
    requireSignedInFor(scope, member.role, 'change an admin’s role');
    const isGranted = scope.userId !== member.userId;
    await quotas.withSeatCheck(scope, () =>
      members.update(scope, membershipId, { role, ...(isGranted && { isMaker: false }) }),
    );
    await accessRevocation.revoke(scope.db, member.userId);
    return members.getMember(scope, membershipId);
  }

  /**
   * Removes a member and revokes everything that needed the membership. Signed-in members may always remove
   * themselves.
   * @returns the removed member
   * @throws AppError like `setRole`
   */
  async remove(scope: MemberScope, membershipId: string): Promise<{ member: Member; isLeaving: boolean }> {
    const { members, accessRevocation } = this.#deps;
    const ownRole = await members.lockRoles(scope, scope.userId);
    const found = await members.findLocked(scope, membershipId);
    const isLeaving = found?.userId === scope.userId && scope.keyId === null;
    requireRole(ownRole, isLeaving ? 'viewer' : 'admin');
    const { role, userId } = found ?? (await members.throwMissing(scope, membershipId));
    if (role === 'owner') requireOwner(scope, ownRole, 'remove an owner');
    requireSignedInFor(scope, role, 'remove an admin');
    const member = await members.getMember(scope, membershipId);
    await members.delete(scope, membershipId);
    await members.deleteSessions(scope, userId);
    await accessRevocation.revoke(scope.db, userId);
    return { member, isLeaving };
  }

  /**
   * Makes another member the owner of the workspace. The caller becomes admin, unless they own a workspace
   * above this workspace.
   * @throws AppError `conflict` for a member whose email address is not verified; `validation_error` if the
   *   member is the caller; `forbidden` or `not_found`
   */
  async transferOwnership(
    scope: MemberScope,
    membershipId: string,
  ): Promise<{ newOwner: Member; isAdminNow: boolean }> {
    const { members, orgs, mail, quotas } = this.#deps;
    if ((await members.lockRoles(scope, scope.userId)) !== 'owner')
      throw createOwnersOnlyError('transfer the ownership');
    const callerMembership = await members.findByUserLocked(scope, scope.userId);
    await members.lock(scope, membershipId);
    const newOwner = await members.getMember(scope, membershipId);
    if (newOwner.userId === scope.userId) throw invalidField('membership_id', 'is your own membership');
    if (!newOwner.isVerified)
      throw new AppError('conflict', 'An owner needs a verified email address; this member has none yet.');
    await quotas.withSeatCheck(scope, () =>
      members.update(scope, membershipId, { role: 'owner', isMaker: false }),
    );
    if (callerMembership?.role === 'owner')
      await members.update(scope, callerMembership.id, { role: 'admin' });
    const org = await orgs.find(scope, newOwner.userId);
    await mail.send(scope.db, {
      to: newOwner.email,
      userId: newOwner.userId,
      orgId: scope.orgId,
      template: 'ownership_transferred',
      data: { orgName: org?.name ?? '', name: newOwner.fullName },
    });
    return { newOwner: newOwner, isAdminNow: callerMembership?.role === 'owner' };
  }
}

/** Requires a signed-in owner: a leaked API key must not create or remove owners. */
function requireOwner({ keyId }: MemberScope, role: OrgRole, action: string): void {
  if (role !== 'owner') throw createOwnersOnlyError(action);
  if (keyId !== null)
    throw new AppError('forbidden', `Only an owner who is signed in can ${action}; an API key cannot.`, {
      subject: 'signed-in person',
    });
}

function createOwnersOnlyError(what: string): AppError {
  return new AppError('forbidden', `Only an owner can ${what}.`, { subject: 'role owner' });
}
