import type { MigrationInterface, QueryRunner } from 'typeorm';

const IS_OPEN = (row: 'OLD' | 'NEW') => `${row}.status IN ('waiting_human', 'human')`;

/** The inbox's size is kept, exactly, instead of counted anew for each page. */
export class InboxChanges1790000380000 implements MigrationInterface {
  name = 'InboxChanges1790000380000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "inbox_changes" (
      "id" uuid NOT NULL, "org_id" uuid NOT NULL, "bot_id" uuid NOT NULL,
      "assigned_to_id" uuid, "change" integer NOT NULL, CONSTRAINT "pk_inbox_changes" PRIMARY KEY ("id"))`);
    await runner.query(
      `CREATE INDEX "ix_inbox_changes_count" ON "inbox_changes" ("org_id", "bot_id", "assigned_to_id")`,
    );
    await runner.query(`CREATE FUNCTION note_inbox_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' AND ${IS_OPEN('OLD')} THEN
          INSERT INTO inbox_changes (id, org_id, bot_id, assigned_to_id, change)
          VALUES (gen_random_uuid(), OLD.org_id, OLD.bot_id, OLD.assigned_to_id, -1);
        END IF;
        IF TG_OP <> 'DELETE' AND ${IS_OPEN('NEW')} THEN
          INSERT INTO inbox_changes (id, org_id, bot_id, assigned_to_id, change)
          VALUES (gen_random_uuid(), NEW.org_id, NEW.bot_id, NEW.assigned_to_id, 1);
        END IF;
        RETURN NULL;
      END $$`);
    await this.#trigger(runner, 'insertion', 'INSERT', IS_OPEN('NEW'));
    await this.#trigger(runner, 'deletion', 'DELETE', IS_OPEN('OLD'));
    await this.#trigger(
      runner,
      'change',
      'UPDATE OF status, assigned_to_id',
      `(${IS_OPEN('OLD')}) <> (${IS_OPEN('NEW')})
       OR ${IS_OPEN('NEW')} AND OLD.assigned_to_id IS DISTINCT FROM NEW.assigned_to_id`,
    );
    await runner.query(`INSERT INTO inbox_changes (id, org_id, bot_id, assigned_to_id, change)
      SELECT gen_random_uuid(), org_id, bot_id, assigned_to_id, count(*) FROM conversations
      WHERE status IN ('waiting_human', 'human') GROUP BY org_id, bot_id, assigned_to_id`);
    await runner.query(`DROP INDEX "ix_conversations_inbox_count"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "ix_conversations_inbox_count" ON "conversations" ("org_id", "bot_id", "assigned_to_id") WHERE status IN ('waiting_human', 'human')`,
    );
    for (const name of ['insertion', 'deletion', 'change'])
      await runner.query(`DROP TRIGGER tr_conversations_inbox_${name} ON "conversations"`);
    await runner.query(`DROP FUNCTION note_inbox_change`);
    await runner.query(`DROP TABLE "inbox_changes"`);
  }

  async #trigger(runner: QueryRunner, name: string, event: string, condition: string): Promise<void> {
    await runner.query(`CREATE TRIGGER tr_conversations_inbox_${name} AFTER ${event} ON "conversations" FOR EACH ROW
      WHEN (${condition}) EXECUTE FUNCTION note_inbox_change()`);
  }
}
