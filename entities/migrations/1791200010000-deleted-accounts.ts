import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Archives name authors who have no account here, but nobody whose account was deleted. */
export class DeletedAccounts1791200010000 implements MigrationInterface {
  name = 'DeletedAccounts1791200010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "deleted_accounts" (
      "id" uuid NOT NULL, CONSTRAINT "pk_deleted_accounts" PRIMARY KEY ("id"))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "deleted_accounts"`);
  }
}
