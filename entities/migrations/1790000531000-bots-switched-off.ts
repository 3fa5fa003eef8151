import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The open streams of a bot's visitors hear at once when it is switched off, at whichever process. */
export class BotsSwitchedOff1790000531000 implements MigrationInterface {
  name = 'BotsSwitchedOff1790000531000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION notify_bot_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parley_conversations', NEW.id::text);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_bots_change AFTER UPDATE OF status, is_public, deleted_at ON "bots" FOR EACH ROW
      WHEN (OLD.status <> NEW.status OR OLD.is_public <> NEW.is_public OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
      EXECUTE FUNCTION notify_bot_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tr_bots_change ON "bots"`);
    await runner.query(`DROP FUNCTION notify_bot_change`);
  }
}
