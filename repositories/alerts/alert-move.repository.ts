import type { OrgScope } from '../../database/org-scope.ts';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { In } from 'typeorm';
import type { DestinationKey } from './alert-destination.repository.ts';
import { DROP_SENT_ALERTS, MOVE_ALERTS } from './alert-move.sql.ts';

/**
 * Handles a chat whose id has changed: moves its alert policies and alerts to the new id. If both ids have a
 * policy for the same bot, the policies are merged.
 */
export class AlertMoveRepository {
  async move(scope: OrgScope, from: DestinationKey, destination: string): Promise<void> {
    const { db, orgId } = scope;
    const to = { channel: from.channel, destination };
    const oldKey = { orgId, channel: from.channel, destination: from.destination };
    await this.#moveDestination(scope, oldKey, to);
    const policies = await db.repository(AlertPolicy).find({
      where: [oldKey, { orgId, ...to }],
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    const moving = policies.filter((policy) => policy.destination === from.destination);
    for (const policy of moving) {
      const other = policies.find((each) => each.destination === destination && each.botId === policy.botId);
      if (other) await this.#merge(scope, other, policy);
      await db.repository(AlertPolicy).update({ orgId, id: policy.id }, { destination });
      await db
        .repository(AlertMessage)
        .update({ orgId, policyId: policy.id, state: In(['pending', 'sending']) }, { destination });
    }
  }

  /**
   * Moves an alert destination to the chat's new id. If a row for the new id exists, adds the old row's
   * verification to it.
   */
  async #moveDestination({ db, orgId }: OrgScope, old: DestinationKey, to: DestinationKey): Promise<void> {
    const rows = db.repository(AlertDestination);
    const existing = await rows.findOneBy({ orgId, ...to });
    const oldKey = { orgId, channel: old.channel, destination: old.destination };
    if (!existing) {
      await rows.update(oldKey, to);
      return;
    }
    const oldRow = await rows.findOneBy(oldKey);
    const verifiedAt = existing.verifiedAt ?? oldRow?.verifiedAt ?? null;
    const verifiedBy = existing.verifiedBy ?? oldRow?.verifiedBy ?? null;
    await rows.update({ orgId, ...to }, { verifiedAt, verifiedBy });
    await rows.delete(oldKey);
  }

  /**
   * Merges two alert policies. The policy whose workflow is running stays, and sends alerts that both have
   * only once.
   */
  async #merge({ db, orgId }: OrgScope, other: AlertPolicy, staying: AlertPolicy): Promise<void> {
    await db.run(DROP_SENT_ALERTS, [orgId, other.id, staying.id]);
    await db.run(MOVE_ALERTS, [orgId, other.id, staying.id]);
    const summaryDueAt = staying.summaryDueAt ?? other.summaryDueAt;
    await db.repository(AlertPolicy).update({ orgId, id: staying.id }, { summaryDueAt });
    await db.repository(AlertPolicy).delete({ orgId, id: other.id });
  }
}
