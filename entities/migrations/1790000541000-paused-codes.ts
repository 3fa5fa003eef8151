import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever is told that codes are not taken is told until when. */
export class PausedCodes1790000541000 implements MigrationInterface {
  name = 'PausedCodes1790000541000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "account_requests" ADD COLUMN "until" TIMESTAMP(3) WITH TIME ZONE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "account_requests" DROP COLUMN "until"`);
  }
}
