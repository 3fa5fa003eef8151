import type { MigrationInterface, QueryRunner } from 'typeorm';

const HOUR = `date_trunc('hour', NEW.last_message_at, 'UTC')`;

/**
 * Conversations are found by what stands anywhere in a text, which takes trigrams, and listed by their last message.
 * That changes with each turn: an index on it would have every turn write to all indexes of its conversation. So the hour
 * of it is kept and indexed, and the few rows of an hour are sorted when they are read.
 */
export class SearchOfConversations1790000520000 implements MigrationInterface {
  name = 'SearchOfConversations1790000520000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await runner.query(
      `CREATE INDEX "ix_messages_text" ON "messages" USING gin ("org_id", "content" gin_trgm_ops)`,
    );
    await runner.query(
      `CREATE INDEX "ix_conversations_text" ON "conversations" USING gin
         ("org_id", "title" gin_trgm_ops, "summary" gin_trgm_ops, "visitor_id" gin_trgm_ops)`,
    );
    await runner.query(
      `CREATE INDEX "ix_contacts_text" ON "contacts" USING gin
         ("org_id", "name" gin_trgm_ops, "email" gin_trgm_ops, "phone" gin_trgm_ops,
          (regexp_replace("phone", '\\(0\\)|[^0-9]', '', 'g')) gin_trgm_ops,
          "visitor_id" gin_trgm_ops, "identity" gin_trgm_ops)`,
    );
    await this.#keepHour(runner);
    await runner.query(
      `CREATE INDEX "ix_conversations_last_message" ON "conversations" ("org_id", "last_message_hour")`,
    );
    await runner.query(
      `CREATE INDEX "ix_conversations_handoffs" ON "conversations" ("created_at") WHERE status IN ('waiting_human', 'human')`,
    );
  }

  /** The extension stays: others may use it. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_conversations_handoffs"`);
    await runner.query(`DROP INDEX "ix_conversations_last_message"`);
    await runner.query(`DROP TRIGGER tr_conversations_last_message ON "conversations"`);
    await runner.query(`DROP FUNCTION keep_last_message_hour`);
    await runner.query(`ALTER TABLE "conversations" DROP COLUMN "last_message_hour"`);
    for (const name of ['ix_contacts_text', 'ix_conversations_text', 'ix_messages_text'])
      await runner.query(`DROP INDEX "${name}"`);
  }

  async #keepHour(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "conversations" ADD "last_message_hour" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now()`,
    );
    await runner.query(
      `UPDATE "conversations" SET "last_message_hour" = date_trunc('hour', "last_message_at", 'UTC')`,
    );
    await runner.query(`CREATE FUNCTION keep_last_message_hour() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.last_message_hour := ${HOUR};
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_conversations_last_message BEFORE INSERT OR UPDATE OF last_message_at ON "conversations"
      FOR EACH ROW WHEN (NEW.last_message_hour IS DISTINCT FROM ${HOUR}) EXECUTE FUNCTION keep_last_message_hour()`);
  }
}
