import { LessThanOrEqual } from 'typeorm';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { FlowRevision } from '../../entities/flows/flow-revision.entity.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import { Flow } from '../../entities/flows/flow.entity.ts';

/** A flow with the graph of its current revision. */
export interface CurrentFlow {
  flow: Flow;
  graph: FlowGraph;
}

export class FlowRevisionRepository extends ScopedRepository<FlowRevision> {
  constructor() {
    super(FlowRevision, 'revision');
  }

  /** Lists the current revision of each given flow. */
  listCurrent(scope: OrgScope, flowIds: readonly string[]): Promise<FlowRevision[]> {
    if (flowIds.length === 0) return Promise.resolve([]);
    return this.query(scope)
      .innerJoin(Flow, 'flow', 'flow.id = row.flowId AND flow.revision = row.revision')
      .andWhere('row.flowId = ANY(:flowIds)', { flowIds })
      .getMany();
  }

  /**
   * Lists active flows of a bot with their current graphs, oldest first.
   * @param triggerKey returns only flows with this trigger
   */
  async listActive(scope: OrgScope, botId: string, triggerKey?: string): Promise<CurrentFlow[]> {
    const query = this.#withFlows(scope).andWhere('flow.isActive AND flow.botId = :botId', { botId });
    if (triggerKey !== undefined) query.andWhere('flow.triggerKey = :triggerKey', { triggerKey });
    return toCurrentFlows(await query.getMany());
  }

  /** Lists the given flows with their current graphs, whether they are active or not. */
  async listWithGraphs(scope: OrgScope, flowIds: readonly string[]): Promise<CurrentFlow[]> {
    if (flowIds.length === 0) return [];
    const query = this.#withFlows(scope).andWhere('row.flowId = ANY(:flowIds)', { flowIds });
    return toCurrentFlows(await query.getMany());
  }

  /** Returns the current revision of a flow; null if the flow was deleted. */
  async findCurrent(scope: OrgScope, flowId: string): Promise<FlowRevision | null> {
    const [found = null] = await this.listCurrent(scope, [flowId]);
    return found;
  }

  /**
   * Returns the current revision of a flow.
   * @throws AppError `not_found`
   */
  async getCurrent(scope: OrgScope, flowId: string): Promise<FlowRevision> {
    return (await this.findCurrent(scope, flowId)) ?? this.throwMissing(scope, flowId);
  }

  /** Returns a revision of a flow; null if the revision was deleted. */
  findGraph(scope: OrgScope, flowId: string, revision: number): Promise<FlowRevision | null> {
    return this.query(scope)
      .andWhere('row.flowId = :flowId AND row.revision = :revision', { flowId, revision })
      .getOne();
  }

  /**
   * Deletes a flow's revisions up to and including this number, except revisions that conversations are
   * using.
   */
  async deleteUpTo({ db, orgId }: OrgScope, flowId: string, revision: number): Promise<void> {
    const waiting = db
      .repository(FlowSession)
      .createQueryBuilder('session')
      .select('session.revision')
      .where("session.flowId = :flowId AND session.status = 'waiting'");
    await db
      .repository(FlowRevision)
      .createQueryBuilder()
      .delete()
      .where({ orgId, flowId, revision: LessThanOrEqual(revision) })
      .andWhere(`revision NOT IN (${waiting.getQuery()})`, { flowId })
      .execute();
  }

  #withFlows(scope: OrgScope) {
    return this.query(scope)
      .innerJoinAndMapOne('row.flow', Flow, 'flow', 'flow.id = row.flowId AND flow.revision = row.revision')
      .orderBy('flow.createdAt')
      .addOrderBy('flow.id');
  }
}

function toCurrentFlows(rows: FlowRevision[]): CurrentFlow[] {
  return (rows as (FlowRevision & { flow: Flow })[]).map(({ flow, graph }) => ({ flow, graph }));
}
