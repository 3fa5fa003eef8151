import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In workspaces that seal their content, words of questions are compared by marks of them. */
export class MarkedQuestions1791100033000 implements MigrationInterface {
  name = 'MarkedQuestions1791100033000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "question_clusters" ADD "key_id" uuid`);
    await runner.query(`CREATE INDEX "ix_question_clusters_org" ON "question_clusters" ("org_id", "id")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_question_clusters_org"`);
    await runner.query(`ALTER TABLE "question_clusters" DROP COLUMN "key_id"`);
  }
}
