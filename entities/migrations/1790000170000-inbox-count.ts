import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Few distinct keys make the index a tenth of the one that the inbox is ordered by: it is what the inbox is counted with. */
export class InboxCount1790000170000 implements MigrationInterface {
  name = 'InboxCount1790000170000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX "ix_conversations_inbox_count" ON "conversations" ("org_id", "bot_id", "assigned_to_id") WHERE status IN ('waiting_human', 'human')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "ix_conversations_inbox_count"`);
  }
}
