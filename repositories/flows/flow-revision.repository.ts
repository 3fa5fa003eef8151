import { LessThanOrEqual } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { FlowRevision } from '../../entities/flows/flow-revision.entity.ts';
import { Flow } from '../../entities/flows/flow.entity.ts';

export class FlowRevisionRepository extends ScopedRepository<FlowRevision> {
  constructor() {
    super(FlowRevision, 'revision');
  }

  /** The present one of each flow. */
  listPresent(scope: OrgScope, flowIds: readonly string[]): Promise<FlowRevision[]> {
    if (flowIds.length === 0) return Promise.resolve([]);
    return this.query(scope)
      .innerJoin(Flow, 'flow', 'flow.id = row.flowId AND flow.revision = row.revision')
      .andWhere('row.flowId = ANY(:flowIds)', { flowIds })
      .getMany();
  }

  /** @throws AppError `not_found` */
  async getPresent(scope: OrgScope, { id, revision }: Pick<Flow, 'id' | 'revision'>): Promise<FlowRevision> {
    const found = await this.query(scope)
      .andWhere('row.flowId = :id AND row.revision = :revision', { id, revision })
      .getOne();
    return found ?? this.refuse(scope, id);
  }

  async deleteUpTo({ db, orgId }: OrgScope, flowId: string, revision: number): Promise<void> {
    await db.repository(FlowRevision).delete({ orgId, flowId, revision: LessThanOrEqual(revision) });
  }
}
