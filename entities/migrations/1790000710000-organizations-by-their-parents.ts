import type { MigrationInterface, QueryRunner } from 'typeorm';

const implied = ['conversations', 'webhook_deliveries'];

/**
 * A conversation's workspace is its bot's, a delivery's its endpoint's, whose keys look after both: checking them once more,
 * and locking the workspace's row, took a fifth of what it costs to write a delivery.
 */
export class OrganizationsByTheirParents1790000710000 implements MigrationInterface {
  name = 'OrganizationsByTheirParents1790000710000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of implied)
      await runner.query(`ALTER TABLE "${table}" DROP CONSTRAINT "fk_${table}_org_id"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of implied)
      await runner.query(
        `ALTER TABLE "${table}" ADD CONSTRAINT "fk_${table}_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
      );
  }
}
