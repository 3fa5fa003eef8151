import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Separates notices of indexed documents from failures, so that a refresh without changes keeps them. */
export class DocumentNotices1796042000000 implements MigrationInterface {
  name = 'DocumentNotices1796042000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents ADD notice text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents DROP notice');
  }
}
