import { newId } from '../../core/ids.ts';
import type { Database, PreparedStatement } from '../../database/database.ts';
import type { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { AT_ONCE } from '../../database/at-once.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** What was written to, and where. */
export type AuditSubject = Pick<AuditEvent, 'orgId' | 'resourceType' | 'resourceId' | 'action'>;
export type NewAuditEvent = Omit<AuditEvent, 'createdAt' | 'action'> & Partial<Pick<AuditEvent, 'action'>>;
/** One write, whatever number of things it is about. */
export type AuditedWrite = Omit<NewAuditEvent, 'id' | keyof AuditSubject>;

/** With what people and keys are called now; those that are gone have no name. */
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
  /** Earlier than this time. */
  beforeTime?: Date | undefined;
  /** Earlier than this event. */
  beforeId?: string | undefined;
  since?: Date | undefined;
  limit: number;
}

const INSERT: PreparedStatement = {
  name: 'insert-audit-event',
  text: `INSERT INTO audit_events (id, org_id, user_id, key_id, operation, resource_type, resource_id, changed_fields,
                                   ip, user_agent, request_id, action)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
};

/** Of one statement, so that an address without an account takes the same work. */
const INSERT_FAILED_SIGN_IN: PreparedStatement = {
  name: 'insert-failed-sign-in',
  text: `
    WITH ${AT_ONCE}
    INSERT INTO audit_events (id, org_id, user_id, operation, resource_type, changed_fields, ip, user_agent, request_id)
    SELECT gen_random_uuid(), m.org_id, u.id, $2, 'failed_sign_in', '{}', $3, $4, $5
    FROM at_once, users u JOIN memberships m ON m.user_id = u.id WHERE u.email = $1 AND u.is_active`,
};

export type FailedSignIn = Pick<AuditEvent, 'operation' | 'ip' | 'userAgent' | 'requestId'>;

const INSERT_ALL: PreparedStatement = {
  name: 'insert-audit-events',
  text: `INSERT INTO audit_events (id, org_id, resource_type, resource_id, action, user_id, key_id, operation,
                                   changed_fields, ip, user_agent, request_id)
         SELECT about.*, $6, $7, $8, $9, $10, $11, $12
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]) AS about`,
};

export class AuditRepository {
  /** In each workspace of whoever has this address. */
  async insertFailedSignIn(
    database: Database,
    email: string,
    { operation, ip, userAgent, requestId }: FailedSignIn,
  ): Promise<void> {
    await database.prepared(INSERT_FAILED_SIGN_IN, [email, operation, ip, userAgent, requestId]);
  }

  /** The workspaces that somebody belongs to. */
  async orgIdsOf(db: Database, userId: string): Promise<string[]> {
    const memberships = await db.repository(Membership).find({ where: { userId }, select: { orgId: true } });
    return memberships.map(({ orgId }) => orgId);
  }

  /** Goes out with the transaction's COMMIT. */
  insert(db: Database, event: NewAuditEvent): void {
    db.preparedWithCommit(INSERT, [
      event.id,
      event.orgId,
      event.userId,
      event.keyId,
      event.operation,
      event.resourceType,
      event.resourceId,
      event.changedFields,
      event.ip,
      event.userAgent,
      event.requestId,
      event.action,
    ]);
  }

  /** The same for each of the subjects. */
  insertAll(db: Database, subjects: readonly AuditSubject[], write: AuditedWrite): void {
    const [first, ...others] = subjects;
    // Almost every write has one, which costs less without lists.
    if (first && others.length === 0) return this.insert(db, { id: newId(), ...first, ...write });
    db.preparedWithCommit(INSERT_ALL, [
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

  /** Newest first. */
  list({ db, orgId }: OrgScope, filter: AuditFilter): Promise<NamedAuditEvent[]> {
    return db.sql(
      `SELECT e.id, e.org_id AS "orgId", e.user_id AS "userId", e.key_id AS "keyId", e.operation,
              e.resource_type AS "resourceType", e.resource_id AS "resourceId", e.action, e.changed_fields AS "changedFields",
              e.ip, e.user_agent AS "userAgent", e.request_id AS "requestId", e.created_at AS "createdAt",
              u.full_name AS "userName", u.email AS "userEmail", k.name AS "keyName"
       FROM audit_events e
       LEFT JOIN users u ON u.id = e.user_id
       LEFT JOIN api_keys k ON k.id = e.key_id
       WHERE e.org_id = $1
         AND ($2::uuid IS NULL OR e.user_id = $2)
         AND ($3::uuid IS NULL OR e.key_id = $3)
         AND ($4::text IS NULL OR e.operation = $4)
         AND ($5::text IS NULL OR e.resource_type = $5)
         AND ($6::text IS NULL OR e.resource_id = $6)
         AND ($7::timestamptz IS NULL OR e.created_at < $7)
         AND ($8::uuid IS NULL
              OR (e.created_at, e.id) < (SELECT b.created_at, b.id FROM audit_events b WHERE b.id = $8 AND b.org_id = $1))
         AND ($9::timestamptz IS NULL OR e.created_at >= $9)
       ORDER BY e.created_at DESC, e.id DESC LIMIT $10`,
      [
        orgId,
        filter.userId,
        filter.keyId,
        filter.operation,
        filter.resourceType,
        filter.resourceId,
        filter.beforeTime,
        filter.beforeId,
        filter.since,
        filter.limit,
      ],
    );
  }
}
