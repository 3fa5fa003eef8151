import { LessThan, MoreThanOrEqual, type FindOptionsWhere } from 'typeorm';
import { notFound, createOtherWorkspaceError } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { INSERT_AUDIT_EVENTS, INSERT_FAILED_SIGN_IN } from './audit.sql.ts';

/** A resource that a request changed, with its workspace and the kind of change. */
export type AuditSubject = Pick<AuditEvent, 'orgId' | 'resourceType' | 'resourceId' | 'action'>;
/** Author and request of an audited change. Both are stored with each resource that the request changed. */
export type AuditedWrite = Omit<AuditEvent, 'id' | 'createdAt' | keyof AuditSubject>;

/** An audit event with the current names of its account and API key; null for a deleted account or key. */
export interface NamedAuditEvent extends AuditEvent {
  userName: string | null;
  userEmail: string | null;
  keyName: string | null;
}

export interface AuditFilter {
  userId?: string | undefined;
  keyId?: string | undefined;
  operation?: string | undefined;
  resourceType?: string | undefined;
  resourceId?: string | undefined;
  /** Time before which the listed audit events happened. */
  beforeTime?: Date | undefined;
  /** Id of an audit event. The list contains only events before this event. */
  beforeId?: string | undefined;
  since?: Date | undefined;
  limit: number;
}

export type FailedSignIn = Pick<AuditEvent, 'operation' | 'ip' | 'userAgent' | 'requestId'>;

/** An audit event, joined with its account and API key; null for a deleted account or key. */
type JoinedAuditEvent = AuditEvent & {
  person: Pick<User, 'fullName' | 'email'> | null;
  key: Pick<ApiKey, 'name'> | null;
};

export class AuditRepository {
  /**
   * Inserts an audit event about a failed sign-in in each workspace of the account with this email address.
   */
  async insertFailedSignIn(
    database: Database,
    email: string,
    { operation, ip, userAgent, requestId }: FailedSignIn,
  ): Promise<void> {
    await database.run(INSERT_FAILED_SIGN_IN, [email, operation, ip, userAgent, requestId]);
  }

  /** Lists the ids of an account's workspaces. */
  async listOrgIds(db: Database, userId: string): Promise<string[]> {
    const memberships = await db.repository(Membership).find({ where: { userId }, select: { orgId: true } });
    return memberships.map(({ orgId }) => orgId);
  }

  /** Inserts one audit event for each changed resource, in the same round trip as COMMIT. */
  insert(db: Database, subjects: readonly AuditSubject[], write: AuditedWrite): void {
    db.runWithCommit(INSERT_AUDIT_EVENTS, [
      subjects.map(() => newId()),
      subjects.map(({ orgId }) => orgId),
      subjects.map(({ resourceType }) => resourceType),
      subjects.map(({ resourceId }) => resourceId),
      subjects.map(({ action }) => action),
      write.userId,
      write.keyId,
      write.operation,
      write.changedFields,
      write.ip,
      write.userAgent,
      write.requestId,
    ]);
  }

  /** Returns whether the workspace has an audit event of this account or API key. */
  exists({ db, orgId }: OrgScope, where: Partial<Pick<AuditEvent, 'userId' | 'keyId'>>): Promise<boolean> {
    return db.repository(AuditEvent).existsBy({ ...where, orgId } as FindOptionsWhere<AuditEvent>);
  }

  /**
   * Checks that an audit event of the workspace exists.
   * @throws AppError `forbidden` for an event of another workspace, `not_found` for a missing event
   */
  async requireEvent({ db, orgId }: OrgScope, id: string): Promise<void> {
    const event = await db.repository(AuditEvent).findOne({ where: { id }, select: { orgId: true } });
    if (event === null) throw notFound('audit event');
    if (event.orgId !== orgId) throw createOtherWorkspaceError('audit event');
  }

  /** Lists audit events of a workspace, newest first. */
  async list({ db, orgId }: OrgScope, filter: AuditFilter): Promise<NamedAuditEvent[]> {
    const { limit, beforeId, beforeTime, since, ...equal } = filter;
    const query = db
      .repository(AuditEvent)
      .createQueryBuilder('event')
      .leftJoinAndMapOne('event.person', User, 'person', 'person.id = event.userId')
      .leftJoinAndMapOne('event.key', ApiKey, 'key', 'key.id = event.keyId')
      .select(['event', 'person.id', 'person.fullName', 'person.email', 'key.id', 'key.name'])
      .where({ orgId })
      .orderBy({ 'event.createdAt': 'DESC', 'event.id': 'DESC' })
      .limit(limit);
    for (const [property, value] of Object.entries(equal))
      if (value !== undefined) query.andWhere({ [property]: value });
    if (beforeTime) query.andWhere({ createdAt: LessThan(beforeTime) });
    if (since) query.andWhere({ createdAt: MoreThanOrEqual(since) });
    if (beforeId !== undefined) {
      const position = query
        .subQuery()
        .select(['before.createdAt', 'before.id'])
        .from(AuditEvent, 'before')
        .where('before.id = :beforeId AND before.orgId = :beforeOrg', { beforeId, beforeOrg: orgId });
      query
        .andWhere(`(event.createdAt, event.id) < ${position.getQuery()}`)
        .setParameters(position.getParameters());
    }
    const events = (await query.getMany()) as JoinedAuditEvent[];
    return events.map(({ person, key, ...event }) => ({
      ...event,
      userName: person?.fullName ?? null,
      userEmail: person?.email ?? null,
      keyName: key?.name ?? null,
    }));
  }
}
