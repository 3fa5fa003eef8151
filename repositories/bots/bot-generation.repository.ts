import { In, type QueryDeepPartialEntity } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository, type RowChanges } from '../../database/scoped.repository.ts';
import { BotGeneration, type GenerationState } from '../../entities/bots/bot-generation.entity.ts';

/** In which somebody still waits for a draft. */
const OPEN: GenerationState[] = ['queued', 'reading', 'drafting'];

export class BotGenerationRepository extends ScopedRepository<BotGeneration> {
  constructor() {
    super(BotGeneration, 'generation');
  }

  /** Returns false where there is one already: the same request has come before. */
  async insertNew({ db, orgId }: OrgScope, row: Pick<BotGeneration, 'id' | 'input'>): Promise<boolean> {
    const values = { ...row, orgId, expiresAt: () => "now() + interval '24 hours'" };
    const { raw } = await db
      .repository(BotGeneration)
      .createQueryBuilder()
      .insert()
      .values(values as QueryDeepPartialEntity<BotGeneration>)
      .orIgnore()
      .returning('id')
      .execute();
    return (raw as unknown[]).length === 1;
  }

  /** Null once it is gone. */
  async findState(scope: OrgScope, id: string): Promise<GenerationState | null> {
    const row = await this.query(scope)
      .select(['row.id', 'row.state'])
      .andWhere('row.id = :id', { id })
      .getOne();
    return row?.state ?? null;
  }

  /** Changes one that somebody still waits for; returns whether it was. */
  async advance({ db, orgId }: OrgScope, id: string, changes: RowChanges<BotGeneration>): Promise<boolean> {
    const { affected } = await db
      .repository(BotGeneration)
      .update({ id, orgId, state: In(OPEN) }, changes as QueryDeepPartialEntity<BotGeneration>);
    return affected === 1;
  }
}
