import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Active conversations are looked through by their beginning, which never changes: an index by the last message would
 * have to be written with every turn, and few of those that began a while ago are active still.
 */
export class IdleConversations1790000100000 implements MigrationInterface {
  name = 'IdleConversations1790000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "conversations" ADD "reopened_at" TIMESTAMP(3) WITH TIME ZONE`);
    await runner.query(
      `CREATE INDEX "ix_conversations_active" ON "conversations" ("created_at") WHERE status = 'active'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_conversations_active"`);
    await runner.query(`ALTER TABLE "conversations" DROP COLUMN "reopened_at"`);
  }
}
