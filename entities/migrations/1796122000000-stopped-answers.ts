import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a database column for the time at which a visitor stopped an answer. */
export class StoppedAnswers1796122000000 implements MigrationInterface {
  readonly name = 'StoppedAnswers1796122000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN stopped_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages DROP COLUMN stopped_at');
  }
}
