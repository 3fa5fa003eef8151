import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a bot could not answer is what its documents lack. */
export class UnansweredQuestions1790000870000 implements MigrationInterface {
  name = 'UnansweredQuestions1790000870000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "messages" ADD COLUMN "is_unanswered" boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "messages" DROP COLUMN "is_unanswered"`);
  }
}
