import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a source is compared with when it is read again, and how often that is. */
export class RefreshedSources1790000860000 implements MigrationInterface {
  name = 'RefreshedSources1790000860000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE "documents"
        ADD "refresh" text NOT NULL DEFAULT 'none',
        ADD "fetched" jsonb,
        ADD "indexed_sha256" text,
        ADD "text_sha256" text,
        ADD "crawl_revision" integer,
        ADD "missed_crawls" integer NOT NULL DEFAULT 0,
        ADD "gone" jsonb,
        ADD "crawl_progress" jsonb`);
    await runner.query(
      `CREATE INDEX "ix_documents_refreshed" ON "documents" ("org_id", "bot_id", "id") WHERE refresh <> 'none'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_documents_refreshed"`);
    await runner.query(`
      ALTER TABLE "documents"
        DROP "refresh", DROP "fetched", DROP "indexed_sha256", DROP "text_sha256", DROP "crawl_revision",
        DROP "missed_crawls", DROP "gone", DROP "crawl_progress"`);
  }
}
