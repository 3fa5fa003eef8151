import { In, IsNull, Not } from 'typeorm';
import { decryptAvailableRows, sealRow } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { AlertMessage, contentKinds, type MessageKind } from '../../entities/alerts/alert-message.entity.ts';

const UNFINISHED = ['pending', 'sending'] as const;

export class AlertMessageRepository extends ScopedRepository<AlertMessage> {
  constructor() {
    super(AlertMessage, 'message');
  }

  /**
   * Queues an alert message.
   * @returns false if a message with the same key exists
   * @throws AppError `key_unavailable` for a message with content
   */
  async insertOnce(
    scope: OrgScope,
    message: Partial<Opened<AlertMessage>> & Pick<AlertMessage, 'id' | 'kind'>,
  ): Promise<boolean> {
    const { db, orgId } = scope;
    const stored = { ...message, ...(await sealMessageContent(scope, message)), orgId };
    return (await insertOrIgnore(db.repository(AlertMessage), stored)) !== null;
  }

  /**
   * Returns the next unfinished message of an alert policy. Codes and tests, which a person waits for, come
   * before all other messages; older messages come before newer messages.
   * @param except a message that waits for a retry; while it waits, only codes and tests are returned
   */
  findNextUnfinished(scope: OrgScope, policyId: string, except: string | null): Promise<AlertMessage | null> {
    const query = this.query(scope).andWhere('row.policyId = :policyId AND row.state IN (:...unfinished)', {
      policyId,
      unfinished: UNFINISHED,
    });
    if (except !== null)
      query.andWhere(`row.id <> :except AND row.attempts = 0 AND row.kind IN ('code', 'test')`, { except });
    return query
      .orderBy(`CASE WHEN row.kind IN ('code', 'test') AND row.attempts = 0 THEN 0 ELSE 1 END`)
      .addOrderBy('row.createdAt')
      .addOrderBy('row.id')
      .limit(1)
      .getOne();
  }

  /**
   * Counts unsent alert messages that will count against the month's limit once the provider accepts them.
   */
  countUnsent(db: Database, orgIds: readonly string[]): Promise<number> {
    return db.repository(AlertMessage).countBy({
      orgId: In(orgIds),
      state: In([...UNFINISHED]),
      countedOn: Not(IsNull()),
      providerId: IsNull(),
    });
  }

  /** Marks all unfinished messages of an alert policy as failed, except verification codes. */
  async failUnfinished({ db, orgId }: OrgScope, policyId: string, reason: string): Promise<void> {
    await db
      .repository(AlertMessage)
      .update(
        { orgId, policyId, state: In([...UNFINISHED]), kind: Not('code') },
        { state: 'failed', reason, content: null, finishedAt: () => 'now()' },
      );
  }

  /**
   * Begins an attempt to send an alert message.
   * @returns false if another process has begun the attempt
   */
  async beginAttempt({ db, orgId }: OrgScope, { id, attempts }: AlertMessage): Promise<boolean> {
    const { affected } = await db
      .repository(AlertMessage)
      .update(
        { orgId, id, attempts, state: In([...UNFINISHED]) },
        { state: 'sending', attempts: attempts + 1, startedAt: () => 'now()', reason: null },
      );
    return affected === 1;
  }

  /** Stores why an attempt to send an alert message failed, for a message that will be retried. */
  async markForRetry(
    { db, orgId }: OrgScope,
    id: string,
    reason: string,
    mayBeDelivered: boolean,
  ): Promise<void> {
    const state = mayBeDelivered ? 'sending' : 'pending';
    await db.repository(AlertMessage).update({ orgId, id, state: In([...UNFINISHED]) }, { state, reason });
  }

  /**
   * Stores that an alert message is finished.
   * @returns false if the message already had this state
   */
  async finish(
    { db, orgId }: OrgScope,
    id: string,
    end: Pick<AlertMessage, 'state'> &
      Partial<Pick<Opened<AlertMessage>, 'reason' | 'providerId' | 'content'>>,
  ): Promise<boolean> {
    const { affected } = await db
      .repository(AlertMessage)
      .update({ orgId, id, state: In([...UNFINISHED]) }, { ...end, finishedAt: () => 'now()' });
    return affected === 1;
  }

  /**
   * Stores that the provider accepted an alert message.
   * @returns false if the message's state has changed in the meantime
   */
  async succeed(
    scope: OrgScope,
    { id, kind }: Pick<AlertMessage, 'id' | 'kind'>,
    end: Pick<AlertMessage, 'state'> & Partial<Pick<Opened<AlertMessage>, 'providerId' | 'content'>>,
  ): Promise<boolean> {
    const { db, orgId } = scope;
    const stored = { ...end, ...(await sealMessageContent(scope, { id, kind, ...end })) };
    const { affected } = await db
      .repository(AlertMessage)
      .update({ orgId, id, state: 'sending' }, { ...stored, reason: null, finishedAt: () => 'now()' });
    return affected === 1;
  }

  /**
   * Stores that an alert message waits for the workspace's encryption key. The wait does not count as an
   * attempt.
   */
  async markHeld({ db, orgId }: OrgScope, id: string, reason: string): Promise<void> {
    await db.repository(AlertMessage).update({ orgId, id, state: In([...UNFINISHED]) }, { reason });
  }

  findLatest(scope: OrgScope, policyId: string, kind: MessageKind): Promise<AlertMessage | null> {
    return this.query(scope)
      .andWhere('row.policyId = :policyId AND row.kind = :kind', { policyId, kind })
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .limit(1)
      .getOne();
  }

  /**
   * Locks alert messages in all workspaces that a provider reports on, found by the provider's ids or by
   * Parley's ids.
   */
  lockReported(
    db: Database,
    { providerIds, messageIds }: { providerIds: readonly string[]; messageIds: readonly string[] },
  ): Promise<AlertMessage[]> {
    return db.repository(AlertMessage).find({
      where: [
        { channel: 'whatsapp', providerId: In([...providerIds]) },
        { channel: 'whatsapp', id: In([...messageIds]) },
      ],
      // Lock in the order of ids in all processes, to prevent deadlocks.
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Stores the delivery state of an alert message that a provider reports. */
  async advance(
    { db, orgId }: OrgScope,
    ids: readonly string[],
    changes: Pick<AlertMessage, 'state'> & { content?: null },
  ): Promise<void> {
    await db
      .repository(AlertMessage)
      .update(
        { orgId, id: In([...ids]) },
        { ...changes, reason: null, finishedAt: () => 'coalesce(finished_at, now())' },
      );
  }

  async deleteUnfinished({ db, orgId }: OrgScope, policyId: string): Promise<void> {
    await db.repository(AlertMessage).delete({ orgId, policyId, state: In([...UNFINISHED]) });
  }

  /**
   * Lists alert messages that were stored because no provider is configured, newest first. Skips messages
   * whose key is unavailable.
   */
  async listCaptured(db: Database, limit: number): Promise<Opened<AlertMessage>[]> {
    const captured = await db
      .repository(AlertMessage)
      .find({ where: { state: 'kept' }, order: { createdAt: 'DESC', id: 'DESC' }, take: limit });
    return (await decryptAvailableRows(db, AlertMessage, captured)).filter((message) => message !== null);
  }
}

/**
 * Encrypts the content of an alert message for storage.
 * @throws AppError `key_unavailable`
 */
async function sealMessageContent(
  { db, orgId }: OrgScope,
  { id, kind, content }: Pick<AlertMessage, 'id' | 'kind'> & Partial<Pick<Opened<AlertMessage>, 'content'>>,
): Promise<Partial<Pick<Opened<AlertMessage>, 'content' | 'keyId'>>> {
  if (content === undefined || content === null || !contentKinds.includes(kind))
    return content === undefined ? {} : { content };
  const sealed = await sealRow(db.dataSource, AlertMessage, { id, orgId, content, keyId: null });
  return { content: sealed.content, keyId: sealed.keyId };
}
