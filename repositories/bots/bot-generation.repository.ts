import { In, type QueryDeepPartialEntity } from 'typeorm';
import { sealRow } from '../../database/content.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository, type RowChanges } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { BotGeneration, type GenerationState } from '../../entities/bots/bot-generation.entity.ts';

/** States in which a caller still waits for the draft. */
const OPEN_STATES: GenerationState[] = ['queued', 'reading', 'drafting'];

export class BotGenerationRepository extends ScopedRepository<BotGeneration> {
  constructor() {
    super(BotGeneration, 'generation');
  }

  /**
   * @returns false if the row exists: the same request was sent before
   * @throws AppError `key_unavailable`
   */
  async insertNew(
    { db, orgId }: OrgScope,
    row: Pick<Opened<BotGeneration>, 'id' | 'input'>,
  ): Promise<boolean> {
    const stored = await sealRow(db.dataSource, BotGeneration, { ...row, orgId });
    const values = { ...stored, expiresAt: () => "now() + interval '24 hours'" };
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

  /** Null if the generation does not exist any longer. */
  async findState(scope: OrgScope, id: string): Promise<GenerationState | null> {
    const row = await this.query(scope)
      .select(['row.id', 'row.state'])
      .andWhere('row.id = :id', { id })
      .getOne();
    return row?.state ?? null;
  }

  /**
   * Changes an unfinished generation.
   * @returns false if it is finished or missing
   */
  advance(scope: OrgScope, id: string, changes: RowChanges<BotGeneration>): Promise<boolean> {
    return inTransaction(scope, async (tx) => {
      const open = await this.query(tx)
        .select('row.id')
        .andWhere({ id, state: In(OPEN_STATES) })
        .setLock(this.lockForUpdate)
        .getOne();
      return open !== null && this.update(tx, id, changes);
    });
  }
}
