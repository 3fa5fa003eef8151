import { MoreThan } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { Handoff } from '../../entities/analytics/handoff.entity.ts';

/** Times of a visitor's request for an agent and of the agent's answer. */
export type AnsweredHandoff = Pick<Handoff, 'requestedAt'> & { answeredAt: Date };

/** Reads how long visitors waited for the team. */
export class HandoffWaitRepository {
  /** Lists a bot's requests for an agent that were answered after `since`, newest first. */
  async listAnswered(
    { db, orgId }: OrgScope,
    botId: string,
    { since, limit }: { since: Date; limit: number },
  ): Promise<AnsweredHandoff[]> {
    const handoffs = await db.repository(Handoff).find({
      select: { requestedAt: true, answeredAt: true },
      where: { orgId, botId, answeredAt: MoreThan(since) },
      order: { answeredAt: 'DESC' },
      take: limit,
    });
    return handoffs as AnsweredHandoff[];
  }
}
