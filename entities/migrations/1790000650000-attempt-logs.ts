import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each attempt of a delivery came to; what is delivered at once has none, as its row says it all. */
export class AttemptLogs1790000650000 implements MigrationInterface {
  name = 'AttemptLogs1790000650000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "webhook_deliveries" ADD "attempt_log" jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "webhook_deliveries" DROP COLUMN "attempt_log"`);
  }
}
