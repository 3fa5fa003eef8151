import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What came of a site's pages, so that a clean crawl tells it, too. */
export class CrawlCounts1790000560000 implements MigrationInterface {
  name = 'CrawlCounts1790000560000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "documents" ADD "crawl" jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "documents" DROP COLUMN "crawl"`);
  }
}
