import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people ask for is found by one probe for a whole workspace. */
export class OnDemandFirst1790000195000 implements MigrationInterface {
  name = 'OnDemandFirst1790000195000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_webhook_deliveries_on_demand"`);
    await runner.query(`DROP INDEX "ix_webhook_deliveries_pending"`);
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_pending" ON "webhook_deliveries" ("org_id", "is_on_demand", "webhook_id", "due_at")
       WHERE status = 'pending'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_webhook_deliveries_pending"`);
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_pending" ON "webhook_deliveries" ("org_id", "webhook_id", "due_at")
       WHERE status = 'pending'`,
    );
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_on_demand" ON "webhook_deliveries" ("webhook_id", "due_at")
       WHERE status = 'pending' AND is_on_demand`,
    );
  }
}
