import { In, type QueryDeepPartialEntity } from 'typeorm';
import { sealRow } from '../../database/content.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository, type RowChanges } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { BotGeneration, type GenerationState } from '../../entities/bots/bot-generation.entity.ts';

/** States of a bot generation whose draft is not finished, so that a caller still waits for it. */
const UNFINISHED_STATES: GenerationState[] = ['queued', 'reading', 'drafting'];

export class BotGenerationRepository extends ScopedRepository<BotGeneration> {
  constructor() {
    super(BotGeneration, 'generation');
  }

  /**
   * Inserts a bot generation.
   * @returns false if the same request has already inserted the row
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

  /** Returns the state of a bot generation; null if the row was deleted. */
  async findState(scope: OrgScope, id: string): Promise<GenerationState | null> {
    const row = await this.query(scope)
      .select(['row.id', 'row.state'])
      .andWhere('row.id = :id', { id })
      .getOne();
    return row?.state ?? null;
  }

  /**
   * Changes a bot generation that is not finished.
   * @returns false if the draft is finished or does not exist
   */
  advance(scope: OrgScope, id: string, changes: RowChanges<BotGeneration>): Promise<boolean> {
    return inTransaction(scope, async (tx) => {
      const unfinishedRow = await this.query(tx)
        .select('row.id')
        .andWhere({ id, state: In(UNFINISHED_STATES) })
        .setLock(this.lockForUpdate)
        .getOne();
      return unfinishedRow !== null && this.update(tx, id, changes);
    });
  }
}
