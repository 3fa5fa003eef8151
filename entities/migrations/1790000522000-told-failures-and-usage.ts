import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the team was mailed of documents that failed, and of bots that come to the end of their month. */
export class ToldFailuresAndUsage1790000522000 implements MigrationInterface {
  name = 'ToldFailuresAndUsage1790000522000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "content_notices" (
      "bot_id" uuid NOT NULL, "told_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_content_notices" PRIMARY KEY ("bot_id"),
      CONSTRAINT "fk_content_notices_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE ON UPDATE NO ACTION)`);
    await runner.query(
      `CREATE INDEX "ix_documents_failed" ON "documents" ("updated_at") WHERE status = 'failed'`,
    );
    await runner.query(`ALTER TABLE "monthly_usage" ADD "told_percent" integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "monthly_usage" DROP COLUMN "told_percent"`);
    await runner.query(`DROP INDEX "ix_documents_failed"`);
    await runner.query(`DROP TABLE "content_notices"`);
  }
}
