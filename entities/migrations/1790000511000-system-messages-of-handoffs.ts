import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The team's streams hear of system messages in what is in the inbox alone; visitors' streams of all of theirs. */
export class SystemMessagesOfHandoffs1790000511000 implements MigrationInterface {
  name = 'SystemMessagesOfHandoffs1790000511000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#notify(
      runner,
      `(SELECT CASE WHEN status IN ('waiting_human', 'human') THEN org_id::text ELSE '' END
        FROM conversations WHERE id = NEW.conversation_id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.#notify(runner, 'NEW.org_id');
  }

  async #notify(runner: QueryRunner, orgId: string): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION notify_system_message() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parley_conversations', ${orgId} || ' ' || NEW.conversation_id);
        RETURN NULL;
      END $$`);
  }
}
