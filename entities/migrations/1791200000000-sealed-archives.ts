import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Archives are sealed in storage, and uploads are known before they are stored */
export class SealedArchives1791200000000 implements MigrationInterface {
  name = 'SealedArchives1791200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "archive_jobs" ADD "key_id" uuid`);
    await runner.query(`ALTER TABLE "archive_files" ADD "key_id" uuid`);
    await runner.query(`CREATE TABLE "archive_uploads" (
      "id" uuid NOT NULL, "org_id" uuid NOT NULL, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "key_id" uuid,
      CONSTRAINT "pk_archive_uploads" PRIMARY KEY ("id"),
      CONSTRAINT "fk_archive_uploads_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE INDEX "ix_archive_uploads_org" ON "archive_uploads" ("org_id", "created_at")`);
    await runner.query(`CREATE INDEX "ix_archive_uploads_created" ON "archive_uploads" ("created_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "archive_uploads"`);
    for (const table of ['archive_files', 'archive_jobs'])
      await runner.query(`ALTER TABLE "${table}" DROP COLUMN "key_id"`);
  }
}
