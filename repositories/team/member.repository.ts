import { In, IsNull, Not, type SelectQueryBuilder } from 'typeorm';
import { notFound, createOtherWorkspaceError } from '../../core/errors/errors.ts';
import { isUuid, newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { listInBatches } from '../../database/list-in-batches.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { findEffectiveRole } from './effective-role.ts';
import { LOCK_ABOVE } from './org.sql.ts';

/** A member of a workspace: the membership and its account. */
export interface Member {
  membershipId: string;
  userId: string;
  email: string;
  fullName: string;
  avatarUrl: string | null;
  isVerified: boolean;
  role: OrgRole;
  isDefault: boolean;
  joinedAt: Date;
  lastSignInAt: Date | null;
}

type NewMember = Pick<Membership, 'userId' | 'role'> & Partial<Pick<Membership, 'isDefault' | 'isMaker'>>;

/**
 * A membership of a workspace that exists because the account created the workspace. `roleAbove` is the
 * account's role in the workspace above.
 */
export interface CreatorMembership {
  id: string;
  roleAbove: OrgRole | null;
}

/** An account as colleagues see it. */
export type Profile = Pick<User, 'id' | 'fullName' | 'avatarUrl'>;

type JoinedMembership = Membership & { person: User };

/** Reads and changes the members of a workspace. */
export class MemberRepository extends ScopedRepository<Membership> {
  constructor() {
    super(Membership, 'member');
  }

  /** Lists the members of a workspace in the order in which they joined. */
  async list(scope: OrgScope): Promise<Member[]> {
    const members = await listInBatches((limit, last: Membership | undefined) => {
      const people = this.#queryMembers(scope)
        .orderBy({ 'row.createdAt': 'ASC', 'row.id': 'ASC' })
        .limit(limit);
      if (last)
        people.andWhere('(row.createdAt, row.id) > (:createdAt, :lastId)', {
          createdAt: last.createdAt,
          lastId: last.id,
        });
      return people.getMany();
    });
    return members.map((member) => toMember(member as JoinedMembership));
  }

  /**
   * Returns a member with its account.
   * @throws AppError `forbidden` for a membership of another workspace, `not_found` for a missing membership
   */
  async getMember(scope: OrgScope, membershipId: string): Promise<Member> {
    const member = await this.#queryMembers(scope).andWhere({ id: membershipId }).getOne();
    return toMember((member ?? (await this.throwMissing(scope, membershipId))) as JoinedMembership);
  }

  /**
   * Finds members by account id or email address. Skips viewers, who may not answer visitors. Returns their
   * ids and lower-case addresses.
   */
  async listAnswering(scope: OrgScope, idsOrEmails: readonly string[]): Promise<ReadonlySet<string>> {
    const lowerCaseNames = idsOrEmails.map((name) => name.toLowerCase());
    const members = await this.#queryMembers(scope)
      .andWhere({ role: Not('viewer') })
      .andWhere('(person.id = ANY(:ids) OR lower(person.email) = ANY(:lowerCaseNames))', {
        ids: lowerCaseNames.filter(isUuid),
        lowerCaseNames,
      })
      .getMany();
    return new Set(
      members.flatMap((member) => {
        const { id, email } = (member as JoinedMembership).person;
        return [id, email.toLowerCase()];
      }),
    );
  }

  /**
   * Returns whether a member of the workspace has the email address.
   * @param email address in lower case
   */
  hasEmail(scope: OrgScope, email: string): Promise<boolean> {
    return this.#queryMembers(scope).andWhere('person.email = :email', { email }).getExists();
  }

  /**
   * Adds an account to a workspace as a member.
   * @returns false if the account is a member already
   */
  async insertOrIgnore({ db, orgId }: OrgScope, member: NewMember): Promise<boolean> {
    const inserted = await insertOrIgnore(db.repository(Membership), { ...member, id: newId(), orgId });
    return inserted !== null;
  }

  /** Returns the account's own membership of a workspace, locked until the transaction ends. */
  findByUserLocked({ db, orgId }: OrgScope, userId: string): Promise<Membership | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return db.repository(Membership).findOne({ where: { orgId, userId }, lock });
  }

  /**
   * Returns the account's role in the workspace, which may come from a workspace above. Until the transaction
   * ends, roles in this workspace and in the workspaces above cannot change.
   */
  async lockRoles({ db, orgId }: OrgScope, userId: string): Promise<OrgRole | null> {
    await db.run(LOCK_ABOVE, [orgId]);
    const lock = { mode: 'for_no_key_update' } as const;
    await db.repository(Org).findOne({ where: { id: orgId }, select: { id: true }, lock });
    return findEffectiveRole(db, userId, orgId);
  }

  /**
   * Returns the account's role in the workspace, which may come from a workspace above. Locks only the
   * account's own membership. Call this before locking conversations: the removal of a role locks in the same
   * order, which prevents deadlocks.
   */
  async lockRole({ db, orgId }: OrgScope, userId: string): Promise<OrgRole | null> {
    const lock = { mode: 'pessimistic_read' } as const;
    await db.repository(Membership).findOne({ where: { orgId, userId }, select: { id: true }, lock });
    return findEffectiveRole(db, userId, orgId);
  }

  /** Deletes the account's sign-in sessions in the workspace. */
  async deleteSessions({ db, orgId }: OrgScope, userId: string): Promise<void> {
    await db.repository(Session).delete({ userId, orgId });
  }

  /**
   * Lists workspace memberships that the account has because it created the workspace. Each has the account's
   * role in the workspace above.
   */
  listByCreator(db: Database, userId: string): Promise<CreatorMembership[]> {
    return db
      .repository(Membership)
      .createQueryBuilder('membership')
      .innerJoin(Org, 'org', 'org.id = membership.orgId AND org.parentOrgId IS NOT NULL')
      .select('membership.id', 'id')
      .addSelect('effective_role(membership.userId, org.parentOrgId)', 'roleAbove')
      .where({ userId, isMaker: true })
      .getRawMany<CreatorMembership>();
  }

  /**
   * Deletes workspace memberships that exist only because the account created the workspace. Skips
   * memberships that another member has confirmed meanwhile.
   */
  async deleteByCreator(db: Database, ids: string[]): Promise<void> {
    await db.repository(Membership).delete({ id: In(ids), isMaker: true });
  }

  /** Deletes the account's sign-in sessions in workspaces where it has no role. */
  async deleteSessionsWithoutRole(db: Database, userId: string): Promise<void> {
    await db
      .repository(Session)
      .createQueryBuilder()
      .delete()
      .where({ userId, orgId: Not(IsNull()) })
      .andWhere('effective_role(userId, orgId) IS NULL')
      .execute();
  }

  /**
   * Revokes the account's API keys in workspaces where it has no role. Otherwise, the keys would be valid
   * again if the person returns.
   */
  async revokeKeysWithoutRole(db: Database, userId: string): Promise<void> {
    await db
      .repository(ApiKey)
      .createQueryBuilder()
      .update()
      .set({ revokedAt: () => 'now()' })
      .where({ createdById: userId, revokedAt: IsNull() })
      .andWhere('effective_role(createdById, orgId) IS NULL')
      .execute();
  }

  /** Returns the names of members by account id. Deleted accounts are missing. */
  async listNames(db: Database, userIds: string[]): Promise<Map<string, string>> {
    if (userIds.length === 0) return new Map();
    const people = await db
      .repository(User)
      .find({ where: { id: In(userIds) }, select: { id: true, fullName: true } });
    return new Map(people.map(({ id, fullName }) => [id, fullName]));
  }

  /** Returns the names and pictures of members by account id. Deleted accounts are missing. */
  async listProfiles(db: Database, userIds: string[]): Promise<Map<string, Profile>> {
    if (userIds.length === 0) return new Map();
    const select = { id: true, fullName: true, avatarUrl: true } as const;
    const people = await db.repository(User).find({ where: { id: In(userIds) }, select });
    return new Map(people.map((person) => [person.id, person]));
  }

  /**
   * Lists those of the given accounts that have a role in the workspace, which may come from a workspace
   * above.
   */
  listAccounts({ db, orgId }: OrgScope, userIds: readonly string[]): Promise<User[]> {
    return db
      .repository(User)
      .createQueryBuilder('person')
      .where({ id: In(userIds) })
      .andWhere('effective_role(person.id, :orgId) IS NOT NULL', { orgId })
      .getMany();
  }

  /** Returns whether the account has a role in the workspace, which may come from a workspace above. */
  async hasRole({ db, orgId }: OrgScope, userId: string): Promise<boolean> {
    return (await findEffectiveRole(db, userId, orgId)) !== null;
  }

  /**
   * Throws the error for an account that is not a member of this workspace.
   * @throws AppError `forbidden` for an existing account, `not_found` for a missing account
   */
  async throwNotMember({ db }: OrgScope, userId: string): Promise<never> {
    const exists = await db.repository(User).existsBy({ id: userId });
    throw exists ? createOtherWorkspaceError('person') : notFound('member');
  }

  #queryMembers(scope: OrgScope): SelectQueryBuilder<Membership> {
    return this.query(scope).innerJoinAndMapOne('row.person', User, 'person', 'person.id = row.userId');
  }
}

function toMember({ id, role, isDefault, createdAt, person }: JoinedMembership): Member {
  return {
    membershipId: id,
    userId: person.id,
    email: person.email,
    fullName: person.fullName,
    avatarUrl: person.avatarUrl,
    isVerified: person.emailVerifiedAt !== null,
    role,
    isDefault,
    joinedAt: createdAt,
    lastSignInAt: person.lastSignInAt,
  };
}
