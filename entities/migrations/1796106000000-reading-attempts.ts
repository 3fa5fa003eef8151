import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a database column for the number of attempts to read a document that have not ended. */
export class ReadingAttempts1796106000000 implements MigrationInterface {
  name = 'ReadingAttempts1796106000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents ADD reading_attempts integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents DROP reading_attempts');
  }
}
