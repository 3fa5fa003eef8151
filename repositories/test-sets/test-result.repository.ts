import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { TestResult } from '../../entities/test-sets/test-result.entity.ts';

export class TestResultRepository extends ScopedRepository<TestResult> {
  constructor() {
    super(TestResult, 'test result');
  }

  /** Lists the results of a test run, in the order of its questions. */
  listByRun(scope: OrgScope, runId: string): Promise<TestResult[]> {
    return this.query(scope).andWhere('row.runId = :runId', { runId }).orderBy('row.position').getMany();
  }
}
