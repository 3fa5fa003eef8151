import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds database columns for the revision of a test set's questions, by which runs of former questions are
 * distinguished from runs of the current questions.
 */
export class TestQuestionRevisions1796108000000 implements MigrationInterface {
  readonly name = 'TestQuestionRevisions1796108000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['test_sets', 'test_runs'])
      await runner.query(`ALTER TABLE ${table} ADD questions_revision integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['test_sets', 'test_runs'])
      await runner.query(`ALTER TABLE ${table} DROP questions_revision`);
  }
}
