import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A key that lives on for a grace has one successor. */
export class ReplacedKeys1790000320000 implements MigrationInterface {
  name = 'ReplacedKeys1790000320000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "api_keys" ADD "replaced_at" TIMESTAMP(3) WITH TIME ZONE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "api_keys" DROP COLUMN "replaced_at"`);
  }
}
