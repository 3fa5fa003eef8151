import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a document failed: `updated_at` also changes with its title and tags, of which nobody is to be told again. */
export class TimesOfFailures1790000610000 implements MigrationInterface {
  name = 'TimesOfFailures1790000610000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "documents" ADD "failed_at" timestamptz(3)`);
    await runner.query(`UPDATE "documents" SET "failed_at" = "updated_at" WHERE "status" = 'failed'`);
    await runner.query(`DROP INDEX "ix_documents_failed"`);
    await runner.query(
      `CREATE INDEX "ix_documents_failed" ON "documents" ("failed_at") WHERE status = 'failed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_documents_failed"`);
    await runner.query(`ALTER TABLE "documents" DROP COLUMN "failed_at"`);
    await runner.query(
      `CREATE INDEX "ix_documents_failed" ON "documents" ("updated_at") WHERE status = 'failed'`,
    );
  }
}
