import type { SelectQueryBuilder } from 'typeorm';
import { notFound } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { TestSet } from '../../entities/test-sets/test-set.entity.ts';

/** Columns of a test set without its questions, which may be large. */
const listedColumns = [
  'id',
  'orgId',
  'botId',
  'name',
  'questionCount',
  'questionsRevision',
  'requiredPercent',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof TestSet)[];

/** A test set without its questions. */
export type ListedTestSet = Pick<TestSet, (typeof listedColumns)[number]>;

export class TestSetRepository extends ScopedRepository<TestSet> {
  constructor() {
    super(TestSet, 'test set');
  }

  /** Builds a query for the test sets of a bot, without their questions. */
  queryByBot(scope: OrgScope, botId: string): SelectQueryBuilder<TestSet> {
    return this.query(scope)
      .select(listedColumns.map((column) => `row.${column}`))
      .andWhere('row.botId = :botId', { botId });
  }

  /** Lists the test sets of a bot that must pass before the bot goes live. */
  listRequired(scope: OrgScope, botId: string): Promise<ListedTestSet[]> {
    return this.queryByBot(scope, botId)
      .andWhere('row.requiredPercent IS NOT NULL')
      .orderBy('row.createdAt')
      .getMany();
  }

  countByBot({ db, orgId }: OrgScope, botId: string): Promise<number> {
    return db.repository(TestSet).countBy({ orgId, botId });
  }

  /**
   * Returns a test set of the bot.
   * @throws AppError `forbidden` for a set of another workspace, `not_found` if it is missing or belongs to
   * another bot
   */
  async getForBot(scope: OrgScope, botId: string, id: string): Promise<TestSet> {
    const found = await this.get(scope, id);
    if (found.botId !== botId) throw notFound('test set');
    return found;
  }

  /**
   * Locks a test set of the bot until the transaction ends.
   * @throws like `getForBot`
   */
  async lockForBot(scope: OrgScope, botId: string, id: string): Promise<TestSet> {
    const found = await this.lock(scope, id);
    if (found.botId !== botId) throw notFound('test set');
    return found;
  }
}
