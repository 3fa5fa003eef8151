import { invalidField } from '../../core/errors/errors.ts';
import { isUuid } from '../../core/ids.ts';
import type {
  AuditedWrite,
  AuditFilter,
  AuditRepository,
  AuditSubject,
  FailedSignIn,
  NamedAuditEvent,
} from '../../repositories/team/audit.repository.ts';
import type { IssuedKeyRepository } from '../../repositories/team/issued-key.repository.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** Query parameters of the operation that lists the events of the audit log. */
export interface AuditQuery {
  user_id?: string;
  key_id?: string;
  operation?: string;
  resource_type?: string;
  resource_id?: string;
  since?: string;
  /** Time, or id of an event. Only events before it are listed. */
  before?: string;
  limit?: number;
}

export type OwnAccountWrite = FailedSignIn & Pick<AuditedWrite, 'changedFields'>;

const DEFAULT_LIMIT = 50;
/** Matches a time in the format of RFC 3339. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

export interface AuditServiceDeps {
  audit: AuditRepository;
  keys: IssuedKeyRepository;
  members: MemberRepository;
}

/**
 * Records every write of the API in the audit log: what was changed, who changed it, and from which device.
 * Lists the recorded events.
 */
export class AuditService {
  readonly #audit: AuditRepository;
  readonly #keys: IssuedKeyRepository;
  readonly #members: MemberRepository;

  constructor({ audit, keys, members }: AuditServiceDeps) {
    this.#audit = audit;
    this.#keys = keys;
    this.#members = members;
  }

  /**
   * Records a change that a user made to their own account, as an event in the audit log of each of their
   * workspaces.
   */
  async recordOwnAccountWrite(db: Database, userId: string, write: OwnAccountWrite): Promise<void> {
    const subject = { resourceType: 'account', resourceId: userId, action: null };
    const orgIds = await this.#audit.listOrgIds(db, userId);
    const subjects = orgIds.map((orgId) => ({ ...subject, orgId }));
    this.record(db, subjects, { ...write, userId, keyId: null });
  }

  /**
   * Records a failed sign-in as an event in the audit log of each workspace of the account with this email
   * address. An unknown address takes the same time, so that callers cannot detect accounts.
   */
  recordFailedSignIn(database: Database, email: string, failed: FailedSignIn): Promise<void> {
    return this.#audit.insertFailedSignIn(database, email, failed);
  }

  /**
   * Records a write in the audit log within the write's own transaction, as one event for each changed
   * resource.
   */
  record(db: Database, subjects: readonly AuditSubject[], write: AuditedWrite): void {
    if (subjects.length > 0) this.#audit.insert(db, subjects, write);
  }

  /**
   * Lists the events of the workspace's audit log, newest first. Filters accept the ids of deleted users and
   * keys.
   * @throws AppError `validation_error` for a `before` that is neither a time nor an id; `forbidden` for a
   *   user, key or event of another workspace; `not_found` for an unknown user, key or event
   */
  async list(scope: OrgScope, query: AuditQuery): Promise<NamedAuditEvent[]> {
    const found = await this.#audit.list(scope, {
      userId: query.user_id,
      keyId: query.key_id,
      operation: query.operation,
      resourceType: query.resource_type,
      resourceId: query.resource_id,
      since: query.since === undefined ? undefined : new Date(query.since),
      limit: query.limit ?? DEFAULT_LIMIT,
      ...parseBefore(query.before),
    });
    if (found.length === 0) await this.#assertFiltersExist(scope, query);
    return found;
  }

  async #assertFiltersExist(
    scope: OrgScope,
    { user_id: userId, key_id: keyId, before }: AuditQuery,
  ): Promise<void> {
    if (userId !== undefined && !(await this.#isKnownPerson(scope, userId)))
      await this.#members.throwNotMember(scope, userId);
    if (keyId !== undefined && !(await this.#audit.exists(scope, { keyId })))
      await this.#keys.get(scope, keyId);
    if (before !== undefined && isUuid(before)) await this.#audit.requireEvent(scope, before);
  }

  async #isKnownPerson(scope: OrgScope, userId: string): Promise<boolean> {
    return (await this.#members.hasRole(scope, userId)) || (await this.#audit.exists(scope, { userId }));
  }
}

function parseBefore(before: string | undefined): Pick<AuditFilter, 'beforeId' | 'beforeTime'> {
  if (before === undefined) return {};
  if (isUuid(before)) return { beforeId: before };
  const beforeTime = new Date(before);
  if (!TIME.test(before) || Number.isNaN(beforeTime.getTime()))
    throw invalidField('before', 'must be a time or the id of an event', 'query');
  return { beforeTime };
}
