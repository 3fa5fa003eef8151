import type { MigrationInterface, QueryRunner } from 'typeorm';

const FUNCTION =
  'CREATE OR REPLACE FUNCTION remember_deleted_conversation() RETURNS trigger LANGUAGE plpgsql AS $$';
const INSERTION = `
        INSERT INTO deleted_conversations (id, org_id, bot_id, browser_id, contact_id, reply_ids, began_at)
        VALUES (OLD.id, OLD.org_id, OLD.bot_id, OLD.browser_id, OLD.contact_id,
          ARRAY(SELECT id FROM messages WHERE conversation_id = OLD.id AND role = 'agent'), OLD.created_at)`;

/** A conversation that an archive has brought back may be deleted again, and what is remembered of it is of both times. */
export class DeletedAgain1791100011000 implements MigrationInterface {
  name = 'DeletedAgain1791100011000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${FUNCTION}
      BEGIN ${INSERTION}
        ON CONFLICT (id) DO UPDATE SET bot_id = excluded.bot_id, browser_id = excluded.browser_id,
          contact_id = excluded.contact_id, deleted_at = excluded.deleted_at,
          reply_ids = ARRAY(SELECT unnest(deleted_conversations.reply_ids) UNION SELECT unnest(excluded.reply_ids));
        RETURN OLD;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${FUNCTION}
      BEGIN ${INSERTION};
        RETURN OLD;
      END $$`);
  }
}
