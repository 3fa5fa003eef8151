import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a database column for the character encoding that the owner names for a document. */
export class DocumentEncodings1796045600000 implements MigrationInterface {
  name = 'DocumentEncodings1796045600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents ADD encoding text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents DROP encoding');
  }
}
