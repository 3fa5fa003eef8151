import { In } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { AlertDay } from '../../entities/alerts/alert-message.entity.ts';
import { Alert, type AlertState } from '../../entities/alerts/alert.entity.ts';

type Changes = Partial<Pick<Alert, 'state' | 'reason' | 'messageId'>>;

/** Summary of an alert policy's pending alerts that no message contains yet. */
export interface WaitingAlerts {
  count: number;
  isCritical: boolean;
  /** Time at which the oldest of the pending alerts was created. */
  since: Date;
}

export class AlertRepository extends ScopedRepository<Alert> {
  constructor() {
    super(Alert, 'alert');
  }

  /** Returns a summary of the policy's alerts that wait for a message; null if no alert waits. */
  async findWaiting(scope: OrgScope, policyId: string): Promise<WaitingAlerts | null> {
    const row = await this.query(scope)
      .select('count(*)::int', 'count')
      .addSelect(`bool_or(row.severity = 'critical')`, 'isCritical')
      .addSelect('min(row.createdAt)', 'since')
      .andWhere(`row.policyId = :policyId AND row.state = 'pending' AND row.messageId IS NULL`, { policyId })
      .getRawOne<WaitingAlerts>();
    return row && row.count > 0 ? row : null;
  }

  /** Assigns to a message all pending alerts of the policy that are in no message yet. */
  async assignToMessage({ db, orgId }: OrgScope, policyId: string, messageId: string): Promise<void> {
    await db
      .repository(Alert)
      .createQueryBuilder()
      .update()
      .set({ messageId })
      .where(`org_id = :orgId AND policy_id = :policyId AND state = 'pending' AND message_id IS NULL`, {
        orgId,
        policyId,
      })
      .execute();
  }

  /** Lists the alerts in an alert message, critical alerts first. */
  listByMessage(scope: OrgScope, messageId: string, limit: number): Promise<Alert[]> {
    return this.query(scope)
      .andWhere(`row.messageId = :messageId AND row.state IN ('pending', 'sent')`, { messageId })
      .orderBy(`CASE row.severity WHEN 'critical' THEN 0 ELSE 1 END`)
      .addOrderBy('row.occurredAt')
      .addOrderBy('row.id')
      .limit(limit)
      .getMany();
  }

  hasCritical(scope: OrgScope, messageId: string): Promise<boolean> {
    return this.query(scope)
      .andWhere(
        `row.messageId = :messageId AND row.severity = 'critical' AND row.state IN ('pending', 'sent')`,
        {
          messageId,
        },
      )
      .getExists();
  }

  countByMessage(scope: OrgScope, messageId: string): Promise<number> {
    return this.query(scope)
      .andWhere(`row.messageId = :messageId AND row.state IN ('pending', 'sent')`, { messageId })
      .getCount();
  }

  async drop({ db, orgId }: OrgScope, ids: readonly string[], reason: string): Promise<void> {
    if (ids.length > 0)
      await db.repository(Alert).update({ orgId, id: In([...ids]) }, { state: 'dropped', reason });
  }

  /** Updates all alerts in the given alert messages, except dropped and failed alerts. */
  async updateByMessages(
    { db, orgId }: OrgScope,
    messageIds: readonly string[],
    changes: Changes,
  ): Promise<void> {
    await db
      .repository(Alert)
      .update({ orgId, messageId: In([...messageIds]), state: In(['pending', 'sent']) }, changes);
  }

  /** Updates all alerts of an alert policy that are in the given state. Returns the number of alerts. */
  async updateInState(
    { db, orgId }: OrgScope,
    policyId: string,
    from: AlertState,
    changes: Changes,
  ): Promise<number> {
    const { affected } = await db.repository(Alert).update({ orgId, policyId, state: from }, changes);
    return affected ?? 0;
  }

  async deleteUnsent({ db, orgId }: OrgScope, policyId: string): Promise<void> {
    await db.repository(Alert).delete({ orgId, policyId, state: In(['pending', 'held']) });
  }

  async resetHeldCount({ db, orgId }: OrgScope, policyId: string): Promise<void> {
    await db.repository(AlertDay).update({ orgId, policyId }, { held: 0 });
  }
}
