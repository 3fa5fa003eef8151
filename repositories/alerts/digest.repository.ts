import { IsNull, Not } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { isOlderThan } from '../../database/times.ts';
import { AlertDigest } from '../../entities/alerts/alert-digest.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';

export type NewDigest = Pick<
  AlertDigest,
  'policyId' | 'orgId' | 'date' | 'isDigest' | 'dueAt' | 'state' | 'reason'
>;
export type DigestKey = Pick<AlertDigest, 'policyId' | 'date'>;

/** Stores the digests of alert policies. */
export class DigestRepository {
  /**
   * Locks alert policies whose digest or summary is due, except those that a concurrent process has locked.
   */
  listDueLocked(db: Database, now: Date, limit: number): Promise<AlertPolicy[]> {
    return db
      .repository(AlertPolicy)
      .createQueryBuilder('policy')
      .where('policy.nextDigestAt <= :now OR policy.summaryDueAt <= :now', { now })
      .orderBy('policy.id')
      .limit(limit)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
  }

  /**
   * Inserts an alert digest.
   * @returns false if the policy already has a digest for that day
   */
  async insert(db: Database, digest: NewDigest): Promise<boolean> {
    return (await insertOrIgnore(db.repository(AlertDigest), digest)) !== null;
  }

  /**
   * Returns an alert digest, and locks its policy until the transaction ends, so that no other digest of the
   * policy is created.
   */
  async findLocked(
    { db, orgId }: OrgScope,
    { policyId, date }: DigestKey,
  ): Promise<{ policy: AlertPolicy; digest: AlertDigest } | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    const policy = await db.repository(AlertPolicy).findOne({ where: { id: policyId, orgId }, lock });
    const digest = await db.repository(AlertDigest).findOneBy({ policyId, orgId, date });
    return policy && digest ? { policy, digest } : null;
  }

  /** Returns the alert policy's latest digest that covers a period; a summary of held alerts covers none. */
  findLast({ db, orgId }: OrgScope, policyId: string): Promise<AlertDigest | null> {
    const where = { policyId, orgId, isDigest: true, endsAt: Not(IsNull()) };
    return db.repository(AlertDigest).findOne({ where, order: { endsAt: 'DESC' } });
  }

  /** Returns the time at which the alert policy's first digest was due, even if it was not sent. */
  async findFirstDue({ db, orgId }: OrgScope, policyId: string): Promise<Date | null> {
    const where = { policyId, orgId, isDigest: true };
    const first = await db.repository(AlertDigest).findOne({ where, order: { dueAt: 'ASC' } });
    return first?.dueAt ?? null;
  }

  /** Deletes alert digests that are no longer needed for comparison with later digests. */
  async deleteOld({ db, orgId }: OrgScope, policyId: string): Promise<void> {
    await db
      .repository(AlertDigest)
      .delete({ policyId, orgId, createdAt: isOlderThan("interval '60 days'") });
  }

  async update(
    { db, orgId }: OrgScope,
    { policyId, date }: DigestKey,
    changes: Partial<AlertDigest>,
  ): Promise<void> {
    await db.repository(AlertDigest).update({ policyId, orgId, date }, changes);
  }
}
