import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Owners are told once of a key service that fails. */
export class ToldKeyFailures1791100090000 implements MigrationInterface {
  name = 'ToldKeyFailures1791100090000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "org_encryption" ADD "told_failure" text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "org_encryption" DROP COLUMN "told_failure"`);
  }
}
