import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds a database column for what was wrong with a logged request: names of fields, the missing scope or
 * role, or the limit.
 */
export class ErrorSubjects1796114000000 implements MigrationInterface {
  readonly name = 'ErrorSubjects1796114000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE request_log ADD error_subject text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE request_log DROP COLUMN error_subject`);
  }
}
