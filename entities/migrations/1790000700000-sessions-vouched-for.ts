import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions from before cannot be told apart: those of verified contacts write to their own conversations alone. */
export class SessionsVouchedFor1790000700000 implements MigrationInterface {
  name = 'SessionsVouchedFor1790000700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "conversations" ADD "is_vouched_for" boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "conversations" DROP COLUMN "is_vouched_for"`);
  }
}
