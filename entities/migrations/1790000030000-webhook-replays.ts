import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries that people ask for, indexes to find them and an endpoint's retries, and answers that wait for a test. */
export class WebhookReplays1790000030000 implements MigrationInterface {
  name = 'WebhookReplays1790000030000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "idempotency_keys" ADD "is_final" boolean NOT NULL DEFAULT true`);
    await queryRunner.query(
      `ALTER TABLE "webhook_deliveries" ADD "is_on_demand" boolean NOT NULL DEFAULT false`,
    );
    await queryRunner.query(`DROP INDEX "ix_webhook_deliveries_retrying"`);
    await queryRunner.query(
      `CREATE INDEX "ix_webhook_deliveries_retrying" ON "webhook_deliveries" ("webhook_id", "due_at")
       WHERE status = 'retrying'`,
    );
    await queryRunner.query(
      `CREATE INDEX "ix_webhook_deliveries_on_demand" ON "webhook_deliveries" ("webhook_id", "due_at")
       WHERE status = 'pending' AND is_on_demand`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "ix_webhook_deliveries_on_demand"`);
    await queryRunner.query(`DROP INDEX "ix_webhook_deliveries_retrying"`);
    await queryRunner.query(
      `CREATE INDEX "ix_webhook_deliveries_retrying" ON "webhook_deliveries" ("due_at") WHERE status = 'retrying'`,
    );
    await queryRunner.query(`ALTER TABLE "webhook_deliveries" DROP COLUMN "is_on_demand"`);
    await queryRunner.query(`ALTER TABLE "idempotency_keys" DROP COLUMN "is_final"`);
  }
}
