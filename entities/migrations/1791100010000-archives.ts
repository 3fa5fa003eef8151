import type { MigrationInterface, QueryRunner } from 'typeorm';

const TIME = 'TIMESTAMP(3) WITH TIME ZONE';

/** Exports and imports of conversations, and what keeps erased people from coming back with them. */
export class Archives1791100010000 implements MigrationInterface {
  name = 'Archives1791100010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "archive_jobs" (
      "id" uuid NOT NULL, "org_id" uuid NOT NULL, "kind" text NOT NULL, "status" text NOT NULL DEFAULT 'pending',
      "selection" jsonb, "step" integer NOT NULL DEFAULT '0', "position" jsonb, "expected" integer NOT NULL DEFAULT '0',
      "counts" jsonb NOT NULL, "parts" integer NOT NULL DEFAULT '0', "size_bytes" bigint NOT NULL DEFAULT '0',
      "error_message" text, "errors" jsonb NOT NULL DEFAULT '[]', "errors_total" integer NOT NULL DEFAULT '0',
      "has_files" boolean NOT NULL DEFAULT true, "created_at" ${TIME} NOT NULL DEFAULT now(), "started_at" ${TIME},
      "finished_at" ${TIME}, "expires_at" ${TIME},
      CONSTRAINT "pk_archive_jobs" PRIMARY KEY ("id"),
      CONSTRAINT "fk_archive_jobs_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE INDEX "ix_archive_jobs_org" ON "archive_jobs" ("org_id", "created_at", "id")`);
    await runner.query(
      `CREATE INDEX "ix_archive_jobs_files" ON "archive_jobs" ("created_at") WHERE has_files`,
    );
    await runner.query(`CREATE INDEX "ix_archive_jobs_created" ON "archive_jobs" ("created_at")`);
    await runner.query(`CREATE TABLE "archive_files" (
      "id" uuid NOT NULL, "org_id" uuid NOT NULL, "job_id" uuid NOT NULL, "part" integer NOT NULL, "kind" text NOT NULL,
      "name" text NOT NULL, "records" integer NOT NULL, "conversations" integer NOT NULL DEFAULT '0',
      "bytes" integer NOT NULL, "stored_bytes" integer NOT NULL, "sha256" text NOT NULL,
      CONSTRAINT "pk_archive_files" PRIMARY KEY ("id"),
      CONSTRAINT "fk_archive_files_job_id" FOREIGN KEY ("job_id") REFERENCES "archive_jobs"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE INDEX "ix_archive_files_job" ON "archive_files" ("job_id", "part")`);
    await runner.query(`CREATE TABLE "erased_people" (
      "org_id" uuid NOT NULL, "digest" text NOT NULL, "erased_at" ${TIME} NOT NULL DEFAULT now(),
      CONSTRAINT "pk_erased_people" PRIMARY KEY ("org_id", "digest"),
      CONSTRAINT "fk_erased_people_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['erased_people', 'archive_files', 'archive_jobs'])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
