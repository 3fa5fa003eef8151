import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The hierarchy is looked at when a statement has made all its rows: before, one that makes several could put each below
 * another that was not there yet.
 */
export class HierarchyOfWholeStatements1790000400000 implements MigrationInterface {
  name = 'HierarchyOfWholeStatements1790000400000';

  up(runner: QueryRunner): Promise<void> {
    return this.#check(runner, 'AFTER');
  }

  down(runner: QueryRunner): Promise<void> {
    return this.#check(runner, 'BEFORE');
  }

  async #check(runner: QueryRunner, when: 'AFTER' | 'BEFORE'): Promise<void> {
    await runner.query(`DROP TRIGGER tr_orgs_hierarchy ON "orgs"`);
    await runner.query(`DROP TRIGGER tr_orgs_hierarchy_of_new ON "orgs"`);
    await runner.query(`CREATE TRIGGER tr_orgs_hierarchy_of_new ${when} INSERT ON "orgs" FOR EACH ROW
      WHEN (NEW.parent_org_id IS NOT NULL) EXECUTE FUNCTION check_org_hierarchy()`);
    await runner.query(`CREATE TRIGGER tr_orgs_hierarchy ${when} UPDATE OF parent_org_id, id ON "orgs" FOR EACH ROW
      WHEN (NEW.parent_org_id IS NOT NULL) EXECUTE FUNCTION check_org_hierarchy()`);
  }
}
