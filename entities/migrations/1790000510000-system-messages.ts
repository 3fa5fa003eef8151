import type { MigrationInterface, QueryRunner } from 'typeorm';

const GIVE_BACK = `
  UPDATE conversations SET status = 'waiting_human', assigned_to_id = NULL, assigned_at = NULL
  WHERE assigned_to_id = OLD.user_id AND status = 'human'
    AND coalesce(effective_role(OLD.user_id, org_id), 'viewer') = 'viewer'`;

/**
 * Messages have an author, and what happens to a conversation stands in it as messages of the role `system`: open streams
 * hear of those too, and whoever may not answer any more leaves one where visitors wait for somebody else.
 */
export class SystemMessages1790000510000 implements MigrationInterface {
  name = 'SystemMessages1790000510000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "messages" ADD "author_id" uuid, ADD "author_name" text, ADD "event" jsonb`,
    );
    await runner.query(
      `CREATE INDEX "ix_messages_author" ON "messages" ("author_id") WHERE author_id IS NOT NULL`,
    );
    await runner.query(`CREATE FUNCTION notify_system_message() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parley_conversations', NEW.org_id || ' ' || NEW.conversation_id);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_messages_system AFTER INSERT ON "messages" FOR EACH ROW
      WHEN (NEW.role = 'system') EXECUTE FUNCTION notify_system_message()`);
    await this.#giveBack(
      runner,
      `WITH given AS (${GIVE_BACK} RETURNING id, org_id)
       INSERT INTO messages (id, org_id, conversation_id, role, content, event, author_id, author_name, created_at)
       SELECT gen_random_uuid(), given.org_id, given.id, 'system', '', '{"kind": "handoff_returned"}',
              u.id, u.full_name, clock_timestamp()
       FROM given LEFT JOIN users u ON u.id = OLD.user_id`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.#giveBack(runner, GIVE_BACK);
    await runner.query(`DROP TRIGGER tr_messages_system ON "messages"`);
    await runner.query(`DROP FUNCTION notify_system_message`);
    await runner.query(`DELETE FROM "messages" WHERE role = 'system'`);
    await runner.query(`DROP INDEX "ix_messages_author"`);
    await runner.query(`ALTER TABLE "messages" DROP "author_id", DROP "author_name", DROP "event"`);
  }

  async #giveBack(runner: QueryRunner, statement: string): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION give_back_handoffs() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        ${statement};
        RETURN NULL;
      END $$`);
  }
}
