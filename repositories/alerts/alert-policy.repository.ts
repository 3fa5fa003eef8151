import { IsNull, type SelectQueryBuilder } from 'typeorm';
import { lockName } from '../../database/advisory-lock.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { AlertDay } from '../../entities/alerts/alert-message.entity.ts';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';

export type PolicyKey = Pick<AlertPolicy, 'botId' | 'channel' | 'destination'>;

/** An alert policy and the chat or phone number that it sends to. */
export interface PolicyWithDestination {
  policy: AlertPolicy;
  destination: AlertDestination;
}

export class AlertPolicyRepository extends ScopedRepository<AlertPolicy> {
  constructor() {
    super(AlertPolicy, 'alert policy');
  }

  /** Locks the workspace's set of alert policies, so that no concurrent transaction adds a policy. */
  async lockAll({ db, orgId }: OrgScope): Promise<void> {
    await lockName(db, `alert-policies:${orgId}`);
  }

  countAll({ db, orgId }: OrgScope): Promise<number> {
    return db.repository(AlertPolicy).countBy({ orgId });
  }

  findByKeyLocked(scope: OrgScope, { botId, channel, destination }: PolicyKey): Promise<AlertPolicy | null> {
    const query = this.query(scope).andWhere('row.channel = :channel AND row.destination = :destination', {
      channel,
      destination,
    });
    if (botId === null) query.andWhere('row.botId IS NULL');
    else query.andWhere('row.botId = :botId', { botId });
    return query.setLock('pessimistic_write').getOne();
  }

  /**
   * Returns whether an active alert policy sends to this destination. Policies of deleted bots do not count.
   */
  isInUse(
    scope: OrgScope,
    { channel, destination }: Pick<PolicyKey, 'channel' | 'destination'>,
  ): Promise<boolean> {
    return this.#queryWithoutDeletedBots(scope)
      .andWhere('row.channel = :channel AND row.destination = :destination', { channel, destination })
      .andWhere("row.intensity <> 'off'")
      .getExists();
  }

  /** Lists alert policies with their destinations, newest first. Skips policies of deleted bots. */
  async listWithDestinations(
    scope: OrgScope,
    { id, botId }: { id?: string; botId?: string },
  ): Promise<PolicyWithDestination[]> {
    const query = this.#queryWithoutDeletedBots(scope);
    if (id !== undefined) query.andWhere('row.id = :id', { id });
    if (botId !== undefined) query.andWhere('row.botId = :botId', { botId });
    const policies = await query.orderBy('row.createdAt', 'DESC').addOrderBy('row.id', 'DESC').getMany();
    return this.#attachDestinations(scope, policies);
  }

  /** Returns the message counts of the given alert policies and days, by policy id. */
  async listDays(
    { db, orgId }: OrgScope,
    days: readonly Pick<AlertDay, 'policyId' | 'date'>[],
  ): Promise<Map<string, AlertDay>> {
    const where = days.map((day) => ({ ...day, orgId }));
    const rows = where.length === 0 ? [] : await db.repository(AlertDay).findBy(where);
    return new Map(rows.map((day) => [day.policyId, day]));
  }

  /**
   * Marks the alert policy's workflow as woken.
   * @returns false if the policy already had this state
   */
  async wake({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    const { affected } = await db
      .repository(AlertPolicy)
      .update({ id, orgId, wokenAt: IsNull() }, { wokenAt: () => 'now()' });
    return affected === 1;
  }

  #queryWithoutDeletedBots(scope: OrgScope): SelectQueryBuilder<AlertPolicy> {
    return this.query(scope)
      .leftJoin(Bot, 'bot', 'bot.id = row.botId AND bot.orgId = row.orgId')
      .andWhere('(row.botId IS NULL OR bot.deletedAt IS NULL)');
  }

  async #attachDestinations(
    { db, orgId }: OrgScope,
    policies: AlertPolicy[],
  ): Promise<PolicyWithDestination[]> {
    if (policies.length === 0) return [];
    const destinationKeys = policies.map(({ channel, destination }) => ({ orgId, channel, destination }));
    const rows = await db.repository(AlertDestination).findBy(destinationKeys);
    const byDestination = new Map(rows.map((row) => [toDestinationId(row), row]));
    return policies.flatMap((policy) => {
      const destination = byDestination.get(toDestinationId(policy));
      return destination ? [{ policy, destination }] : [];
    });
  }
}

function toDestinationId({ channel, destination }: Pick<AlertPolicy, 'channel' | 'destination'>): string {
  return `${channel}:${destination}`;
}
