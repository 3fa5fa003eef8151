import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Flow } from '../../entities/flows/flow.entity.ts';

export interface FlowQuery {
  botId?: string | undefined;
  isActive?: boolean | undefined;
  limit?: number;
  /** Last flow of the previous page of the list. The result contains only flows created before this flow. */
  before?: Pick<Flow, 'id' | 'createdAt'> | undefined;
}

export class FlowRepository extends ScopedRepository<Flow> {
  constructor() {
    super(Flow, 'flow');
  }

  /** Lists flows, newest first. Skips flows of deleted bots. */
  listFlows(scope: OrgScope, { botId, isActive, limit, before }: FlowQuery): Promise<Flow[]> {
    const query = this.query(scope).innerJoin(
      Bot,
      'bot',
      'bot.id = row.botId AND bot.orgId = row.orgId AND bot.deletedAt IS NULL',
    );
    if (botId !== undefined) query.andWhere('row.botId = :botId', { botId });
    if (isActive !== undefined) query.andWhere('row.isActive = :isActive', { isActive });
    if (before !== undefined)
      query.andWhere('(row.createdAt, row.id) < (:createdAt, :beforeId)', {
        createdAt: before.createdAt,
        beforeId: before.id,
      });
    return query.orderBy('row.createdAt', 'DESC').addOrderBy('row.id', 'DESC').limit(limit).getMany();
  }

  countByBot(scope: OrgScope, botId: string): Promise<number> {
    return this.query(scope).andWhere('row.botId = :botId', { botId }).getCount();
  }

  /** Lists the active flows of a bot, oldest first. */
  listActive(scope: OrgScope, botId: string): Promise<Flow[]> {
    return this.query(scope)
      .andWhere('row.botId = :botId AND row.isActive', { botId })
      .orderBy('row.createdAt')
      .addOrderBy('row.id')
      .getMany();
  }

  countActive(scope: OrgScope, botId: string): Promise<number> {
    return this.query(scope).andWhere('row.botId = :botId AND row.isActive', { botId }).getCount();
  }

  async listIdsByBot(scope: OrgScope, botId: string): Promise<string[]> {
    const rows = await this.query(scope)
      .select(['row.id'])
      .andWhere('row.botId = :botId', { botId })
      .getMany();
    return rows.map(({ id }) => id);
  }

  /** Finds another active flow of the bot with the same trigger. */
  findSameTrigger(
    scope: OrgScope,
    { id, botId, triggerKey }: Pick<Flow, 'id' | 'botId' | 'triggerKey'>,
  ): Promise<Flow | null> {
    return this.query(scope)
      .andWhere('row.botId = :botId AND row.isActive AND row.triggerKey = :triggerKey AND row.id <> :id', {
        id,
        botId,
        triggerKey,
      })
      .getOne();
  }
}
