import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Open streams hear of every change that they show, whoever makes it: a conversation's status and member, and its
 * messages while the bot is silent. Ordinary turns notify nobody.
 */
export class ConversationChanges1790000091000 implements MigrationInterface {
  name = 'ConversationChanges1790000091000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION notify_conversation_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parley_conversations', NEW.org_id || ' ' || NEW.id);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_conversations_change AFTER UPDATE ON "conversations" FOR EACH ROW
      WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.assigned_to_id IS DISTINCT FROM NEW.assigned_to_id
            OR NEW.status IN ('waiting_human', 'human') AND OLD.message_count <> NEW.message_count)
      EXECUTE FUNCTION notify_conversation_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tr_conversations_change ON "conversations"`);
    await runner.query(`DROP FUNCTION notify_conversation_change`);
  }
}
