import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A list sums the days of tens of thousands of clusters, which it finds in the index alone. */
export class QuestionDaysByIndex1791000041000 implements MigrationInterface {
  name = 'QuestionDaysByIndex1791000041000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_question_days_org"`);
    await runner.query(`CREATE INDEX "ix_question_days_org" ON "question_days" ("org_id", "day")
      INCLUDE ("bot_id", "cluster_id", "asked", "unanswered")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_question_days_org"`);
    await runner.query(`CREATE INDEX "ix_question_days_org" ON "question_days" ("org_id", "day")`);
  }
}
