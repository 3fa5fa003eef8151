import { In, IsNull, Not } from 'typeorm';
import { openAvailableRows, sealRow } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { AlertMessage, contentKinds, type MessageKind } from '../../entities/alerts/alert-message.entity.ts';

const OPEN = ['pending', 'sending'] as const;

export class AlertMessageRepository extends ScopedRepository<AlertMessage> {
  constructor() {
    super(AlertMessage, 'message');
  }

  /**
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
   * Returns the next unfinished message of a policy: one that a person waits for, else the oldest.
   * @param except a message that is not due yet; then only messages that a person waits for are returned
   */
  findOpen(scope: OrgScope, policyId: string, except: string | null): Promise<AlertMessage | null> {
    const query = this.query(scope).andWhere('row.policyId = :policyId AND row.state IN (:...open)', {
      policyId,
      open: OPEN,
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

  /** Counts unsent messages that will count towards a month once the provider has accepted them. */
  countUnsent(db: Database, orgIds: readonly string[]): Promise<number> {
    return db.repository(AlertMessage).countBy({
      orgId: In(orgIds),
      state: In([...OPEN]),
      countedOn: Not(IsNull()),
      providerId: IsNull(),
    });
  }

  /** Fails all unfinished messages of a policy except codes. */
  async failOpen({ db, orgId }: OrgScope, policyId: string, reason: string): Promise<void> {
    await db
      .repository(AlertMessage)
      .update(
        { orgId, policyId, state: In([...OPEN]), kind: Not('code') },
        { state: 'failed', reason, content: null, finishedAt: () => 'now()' },
      );
  }

  /**
   * Begins an attempt.
   * @returns false if another process began it
   */
  async beginAttempt({ db, orgId }: OrgScope, { id, attempts }: AlertMessage): Promise<boolean> {
    const { affected } = await db
      .repository(AlertMessage)
      .update(
        { orgId, id, attempts, state: In([...OPEN]) },
        { state: 'sending', attempts: attempts + 1, startedAt: () => 'now()', reason: null },
      );
    return affected === 1;
  }

  /** Stores why the attempt failed; another one will follow. */
  async markForRetry({ db, orgId }: OrgScope, id: string, reason: string, isUnsure: boolean): Promise<void> {
    const state = isUnsure ? 'sending' : 'pending';
    await db.repository(AlertMessage).update({ orgId, id, state: In([...OPEN]) }, { state, reason });
  }

  /** @returns false if it was finished before */
  async finish(
    { db, orgId }: OrgScope,
    id: string,
    end: Pick<AlertMessage, 'state'> &
      Partial<Pick<Opened<AlertMessage>, 'reason' | 'providerId' | 'content'>>,
  ): Promise<boolean> {
    const { affected } = await db
      .repository(AlertMessage)
      .update({ orgId, id, state: In([...OPEN]) }, { ...end, finishedAt: () => 'now()' });
    return affected === 1;
  }

  /**
   * Finishes a message whose attempt succeeded.
   * @returns false if its state has changed meanwhile
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

  /** Stores that it waits for the workspace's key. This is not an attempt. */
  async markHeld({ db, orgId }: OrgScope, id: string, reason: string): Promise<void> {
    await db.repository(AlertMessage).update({ orgId, id, state: In([...OPEN]) }, { reason });
  }

  findLatest(scope: OrgScope, policyId: string, kind: MessageKind): Promise<AlertMessage | null> {
    return this.query(scope)
      .andWhere('row.policyId = :policyId AND row.kind = :kind', { policyId, kind })
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .limit(1)
      .getOne();
  }

  /** Locks the messages, in all workspaces, that a provider's report names by its ids or by ours. */
  lockReported(
    db: Database,
    { providerIds, messageIds }: { providerIds: readonly string[]; messageIds: readonly string[] },
  ): Promise<AlertMessage[]> {
    return db.repository(AlertMessage).find({
      where: [
        { channel: 'whatsapp', providerId: In([...providerIds]) },
        { channel: 'whatsapp', id: In([...messageIds]) },
      ],
      // Uses one order, so that two processes do not deadlock.
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Stores the progress that a provider reports. */
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

  async deleteOpen({ db, orgId }: OrgScope, policyId: string): Promise<void> {
    await db.repository(AlertMessage).delete({ orgId, policyId, state: In([...OPEN]) });
  }

  /** Lists messages captured without a provider, newest first. Leaves out those whose key is unavailable. */
  async listCaptured(db: Database, limit: number): Promise<Opened<AlertMessage>[]> {
    const kept = await db
      .repository(AlertMessage)
      .find({ where: { state: 'kept' }, order: { createdAt: 'DESC', id: 'DESC' }, take: limit });
    return (await openAvailableRows(db, AlertMessage, kept)).filter((message) => message !== null);
  }
}

/**
 * Returns the content in stored form.
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
