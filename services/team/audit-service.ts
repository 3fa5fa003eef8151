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

/** Filters as the API names them. */
export interface AuditQuery {
  user_id?: string;
  key_id?: string;
  operation?: string;
  resource_type?: string;
  resource_id?: string;
  since?: string;
  /** A time, or the id of an event. */
  before?: string;
  limit?: number;
}

export type OwnAccountWrite = FailedSignIn & Pick<AuditedWrite, 'changedFields'>;

const DEFAULT_LIMIT = 50;
/** RFC 3339. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

export interface AuditServiceDeps {
  audit: AuditRepository;
  keys: IssuedKeyRepository;
  members: MemberRepository;
}

/** Records and lists writes: the actor, the subject and the origin. */
export class AuditService {
  readonly #audit: AuditRepository;
  readonly #keys: IssuedKeyRepository;
  readonly #members: MemberRepository;

  constructor({ audit, keys, members }: AuditServiceDeps) {
    this.#audit = audit;
    this.#keys = keys;
    this.#members = members;
  }

  /** Records what a user did to their own account, in each of their workspaces. */
  async recordOwnAccountWrite(db: Database, userId: string, write: OwnAccountWrite): Promise<void> {
    const subject = { resourceType: 'account', resourceId: userId, action: null };
    const orgIds = await this.#audit.listOrgIds(db, userId);
    const subjects = orgIds.map((orgId) => ({ ...subject, orgId }));
    this.record(db, subjects, { ...write, userId, keyId: null });
  }

  /** Records a failed sign-in in each workspace of the account with this address; does the same work if there is none. */
  recordFailedSignIn(database: Database, email: string, failed: FailedSignIn): Promise<void> {
    return this.#audit.insertFailedSignIn(database, email, failed);
  }

  /** Records a write in its own transaction, once for each subject. */
  record(db: Database, subjects: readonly AuditSubject[], write: AuditedWrite): void {
    if (subjects.length > 0) this.#audit.insert(db, subjects, write);
  }

  /**
   * Lists events, newest first. Events of deleted users and keys can still be searched for.
   * @throws AppError `validation_error` for a `before` that is neither time nor id; `forbidden` for a user, key or event of
   *   another workspace; `not_found` for an unknown one
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
    if (found.length === 0) await this.#requireNamed(scope, query);
    return found;
  }

  async #requireNamed(
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
