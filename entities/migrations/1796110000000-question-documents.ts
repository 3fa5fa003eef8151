import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a database column that marks documents whose text answers the question in their title. */
export class QuestionDocuments1796110000000 implements MigrationInterface {
  readonly name = 'QuestionDocuments1796110000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents ADD is_qa boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents DROP is_qa');
  }
}
