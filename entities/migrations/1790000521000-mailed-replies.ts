import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A reply of the team is mailed once to a visitor who has left. */
export class MailedReplies1790000521000 implements MigrationInterface {
  name = 'MailedReplies1790000521000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "messages" ADD "mailed_at" TIMESTAMP(3) WITH TIME ZONE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "messages" DROP COLUMN "mailed_at"`);
  }
}
