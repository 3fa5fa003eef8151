import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who was mailed about which week and which news, and what of a week no answer was found for. */
export class WeeklyMails1790000957000 implements MigrationInterface {
  name = 'WeeklyMails1790000957000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column, type] of [
      ['weekly_mails', 'week', 'date'],
      ['announced_readers', 'announcement', 'text'],
    ])
      await runner.query(`CREATE TABLE "${table}" (
        "user_id" uuid NOT NULL, "${column}" ${type} NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_${table}" PRIMARY KEY ("user_id", "${column}"),
        CONSTRAINT "fk_${table}_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE)`);
    await runner.query(
      `CREATE INDEX "ix_messages_unanswered" ON "messages" ("org_id", "created_at") WHERE is_unanswered`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_messages_unanswered"`);
    await runner.query(`DROP TABLE "announced_readers"`);
    await runner.query(`DROP TABLE "weekly_mails"`);
  }
}
