import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When updates of a bot were read last. */
export class ReadUpdates1790000958000 implements MigrationInterface {
  name = 'ReadUpdates1790000958000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "alert_providers" ADD "cursor_at" TIMESTAMP(3) WITH TIME ZONE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "alert_providers" DROP COLUMN "cursor_at"`);
  }
}
