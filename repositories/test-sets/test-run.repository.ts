import { In, Not, type SelectQueryBuilder } from 'typeorm';
import { lockName } from '../../database/advisory-lock.ts';
import { notFound } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { TestSet } from '../../entities/test-sets/test-set.entity.ts';
import { TestRun, unfinishedTestRunStatuses } from '../../entities/test-sets/test-run.entity.ts';

/** Columns of a test run without its questions, which may be large. */
const listedColumns = [
  'id',
  'orgId',
  'botId',
  'testSetId',
  'status',
  'version',
  'questionCount',
  'answeredCount',
  'passedCount',
  'costUsd',
  'errorMessage',
  'createdAt',
  'startedAt',
  'finishedAt',
] as const satisfies (keyof TestRun)[];

/** A test run without its questions. */
export type ListedRun = Pick<TestRun, (typeof listedColumns)[number]>;

export class TestRunRepository extends ScopedRepository<TestRun> {
  constructor() {
    super(TestRun, 'test run');
  }

  /** Builds a query for the runs of a test set, without their questions. */
  queryBySet(scope: OrgScope, testSetId: string): SelectQueryBuilder<TestRun> {
    return this.query(scope)
      .select(listedColumns.map((column) => `row.${column}`))
      .andWhere('row.testSetId = :testSetId', { testSetId });
  }

  /**
   * Returns a run of the test set.
   * @throws AppError `forbidden` for a run of another workspace, `not_found` if it is missing or belongs to
   * another set
   */
  async getForSet(scope: OrgScope, testSetId: string, id: string): Promise<TestRun> {
    const found = await this.get(scope, id);
    if (found.testSetId !== testSetId) throw notFound('test run');
    return found;
  }

  /** Returns the newest test run of each test set that has a run, by the set's id. */
  async mapNewest(scope: OrgScope, testSetIds: readonly string[]): Promise<Map<string, ListedRun>> {
    if (testSetIds.length === 0) return new Map();
    const runs = await this.query(scope)
      .select(listedColumns.map((column) => `row.${column}`))
      .distinctOn(['row.test_set_id'])
      .andWhere('row.testSetId IN (:...testSetIds)', { testSetIds })
      .orderBy('row.testSetId')
      .addOrderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .getMany();
    return new Map(runs.map((run) => [run.testSetId, run]));
  }

  /** Returns the newest completed run of a test set's current questions by a bot with these settings. */
  findNewestForSettings(
    scope: OrgScope,
    { id, questionsRevision }: Pick<TestSet, 'id' | 'questionsRevision'>,
    settingsDigest: string,
  ): Promise<ListedRun | null> {
    return this.queryBySet(scope, id)
      .andWhere({ status: 'completed', settingsDigest, questionsRevision })
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .getOne();
  }

  /** Locks the workspace's test runs, so that no concurrent transaction starts a run. */
  async lockAll({ db, orgId }: OrgScope): Promise<void> {
    await lockName(db, `test-runs:${orgId}`);
  }

  /** Counts the workspace's test runs that have not ended. */
  countUnfinished({ db, orgId }: OrgScope): Promise<number> {
    return db.repository(TestRun).countBy({ orgId, status: In(unfinishedTestRunStatuses) });
  }

  /**
   * Deletes the runs of a test set, except the newest runs and those that have not ended.
   * @param kept number of newest runs that remain
   */
  async deleteExcess(scope: OrgScope, testSetId: string, kept: number): Promise<void> {
    const surplus = await this.queryBySet(scope, testSetId)
      .select('row.id')
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .offset(kept)
      .getMany();
    if (surplus.length === 0) return;
    const { db, orgId } = scope;
    await db.repository(TestRun).delete({
      orgId,
      id: In(surplus.map(({ id }) => id)),
      status: Not(In(unfinishedTestRunStatuses)),
    });
  }
}
