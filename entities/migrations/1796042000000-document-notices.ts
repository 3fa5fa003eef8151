import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds a database column for notices about indexed documents. A refresh without changes deletes failures, but
 * no notices.
 */
export class DocumentNotices1796042000000 implements MigrationInterface {
  name = 'DocumentNotices1796042000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents ADD notice text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents DROP notice');
  }
}
