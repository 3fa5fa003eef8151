import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was there before an operator had all content sealed is sealed as well, and opened again later. */
export class SealedByOperator1791210000000 implements MigrationInterface {
  name = 'SealedByOperator1791210000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "org_encryption" ADD "is_all_sealed" boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "org_encryption" DROP COLUMN "is_all_sealed"`);
  }
}
