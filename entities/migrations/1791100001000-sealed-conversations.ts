import type { MigrationInterface, QueryRunner } from 'typeorm';

const TEXT = '"ix_messages_text" ON "messages" USING gin ("org_id", "content" gin_trgm_ops)';

/** Of what is sealed nothing can be found, and its trigrams would cost more than the sealing. */
export class SealedConversations1791100001000 implements MigrationInterface {
  name = 'SealedConversations1791100001000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['messages', 'conversations'])
      await runner.query(`ALTER TABLE "${table}" ADD "key_id" uuid`);
    await runner.query(`DROP INDEX "ix_messages_text"`);
    await runner.query(`CREATE INDEX ${TEXT} WHERE key_id IS NULL`);
    await runner.query(`UPDATE "messages" SET "content" = coalesce("event"->>'reason', ''), "event" = "event" - 'reason'
      WHERE "role" = 'system' AND "event"->>'kind' = 'handoff_requested' AND "event" ? 'reason'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE "messages"
      SET "event" = jsonb_set("event", '{reason}', coalesce(to_jsonb(nullif("content", '')), 'null')), "content" = ''
      WHERE "role" = 'system' AND "event"->>'kind' = 'handoff_requested'`);
    await runner.query(`DROP INDEX "ix_messages_text"`);
    await runner.query(`CREATE INDEX ${TEXT}`);
    for (const table of ['messages', 'conversations'])
      await runner.query(`ALTER TABLE "${table}" DROP COLUMN "key_id"`);
  }
}
