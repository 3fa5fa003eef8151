import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Visitors can ask for a person: who waits, since when and why, and which member has the conversation. */
export class Handoff1790000090000 implements MigrationInterface {
  name = 'Handoff1790000090000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "conversations"
      ADD "handoff_requested_at" TIMESTAMP(3) WITH TIME ZONE,
      ADD "handoff_reason" text,
      ADD "assigned_to_id" uuid,
      ADD "assigned_at" TIMESTAMP(3) WITH TIME ZONE,
      ADD CONSTRAINT "fk_conversations_assigned_to_id" FOREIGN KEY ("assigned_to_id") REFERENCES "users"("id")
        ON DELETE SET NULL ON UPDATE NO ACTION`);
    await runner.query(
      `CREATE INDEX "ix_conversations_inbox" ON "conversations" ("org_id", "handoff_requested_at", "id", "assigned_to_id") WHERE status IN ('waiting_human', 'human')`,
    );
    await runner.query(
      `CREATE INDEX "ix_conversations_inbox_of_bot" ON "conversations" ("bot_id", "org_id", "handoff_requested_at", "id") WHERE status IN ('waiting_human', 'human')`,
    );
    await runner.query(
      `CREATE INDEX "ix_conversations_assigned" ON "conversations" ("assigned_to_id", "org_id", "handoff_requested_at", "id") WHERE assigned_to_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['assigned', 'inbox_of_bot', 'inbox']) {
      await runner.query(`DROP INDEX "ix_conversations_${name}"`);
    }
    await runner.query(`ALTER TABLE "conversations"
      DROP COLUMN "assigned_at", DROP COLUMN "assigned_to_id", DROP COLUMN "handoff_reason",
      DROP COLUMN "handoff_requested_at"`);
  }
}
