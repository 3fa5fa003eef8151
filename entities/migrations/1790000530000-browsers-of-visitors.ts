import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['conversations', 'contacts', 'visitor_consents', 'deleted_conversations'];

/**
 * An anonymous visitor is whoever uses a browser, and no longer whoever knows a visitor id. Those that were known until
 * now keep what they have: one browser for each visitor id of a bot.
 */
export class BrowsersOfVisitors1790000530000 implements MigrationInterface {
  name = 'BrowsersOfVisitors1790000530000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TEMPORARY TABLE known_browsers AS
      SELECT bot_id, visitor_id, gen_random_uuid() AS id FROM (
        ${TABLES.map((table) => `SELECT bot_id, visitor_id FROM "${table}"`).join(' UNION ')}
      ) AS known`);
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE "${table}" ADD "browser_id" uuid`);
      await runner.query(`UPDATE "${table}" t SET browser_id = known.id FROM known_browsers known
        WHERE known.bot_id = t.bot_id AND known.visitor_id = t.visitor_id`);
      await runner.query(`ALTER TABLE "${table}" ALTER "browser_id" SET NOT NULL`);
    }
    await runner.query('DROP TABLE known_browsers');
    await runner.query(`DROP INDEX "uq_contacts_visitor"`);
    await runner.query(`CREATE UNIQUE INDEX "uq_contacts_browser" ON "contacts" ("bot_id", "browser_id")
      WHERE identity IS NULL AND deleted_at IS NULL`);
    await runner.query(`DROP INDEX "ix_conversations_visitor"`);
    await runner.query(
      `CREATE INDEX "ix_conversations_browser" ON "conversations" ("bot_id", "browser_id", "created_at", "id")`,
    );
    await runner.query(`ALTER TABLE "visitor_consents" DROP COLUMN "visitor_id"`);
    await runner.query(
      `CREATE INDEX "ix_visitor_consents_browser" ON "visitor_consents" ("bot_id", "browser_id", "said_at", "id")`,
    );
    await runner.query(`ALTER TABLE "deleted_conversations" DROP COLUMN "visitor_id"`);
    await runner.query(
      `CREATE INDEX "ix_deleted_conversations_browser" ON "deleted_conversations" ("bot_id", "browser_id") WHERE contact_id IS NULL`,
    );
    await runner.query(rememberDeleted('browser_id'));
  }

  /** Browsers take the place of visitor ids, which may be those of several. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(rememberDeleted('visitor_id'));
    await runner.query(`UPDATE "conversations" SET visitor_id = browser_id::text`);
    await runner.query(`UPDATE "contacts" SET visitor_id = browser_id::text WHERE deleted_at IS NULL`);
    for (const table of ['visitor_consents', 'deleted_conversations']) {
      await runner.query(`ALTER TABLE "${table}" ADD "visitor_id" text`);
      await runner.query(`UPDATE "${table}" SET visitor_id = browser_id::text`);
      await runner.query(`ALTER TABLE "${table}" ALTER "visitor_id" SET NOT NULL`);
    }
    for (const table of TABLES) await runner.query(`ALTER TABLE "${table}" DROP COLUMN "browser_id"`);
    await runner.query(`CREATE UNIQUE INDEX "uq_contacts_visitor" ON "contacts" ("bot_id", "visitor_id")
      WHERE identity IS NULL AND deleted_at IS NULL`);
    await runner.query(
      `CREATE INDEX "ix_conversations_visitor" ON "conversations" ("bot_id", "visitor_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_visitor_consents_visitor" ON "visitor_consents" ("bot_id", "visitor_id", "said_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_deleted_conversations_visitor" ON "deleted_conversations" ("bot_id", "visitor_id") WHERE contact_id IS NULL`,
    );
  }
}

function rememberDeleted(visitor: 'browser_id' | 'visitor_id'): string {
  return `CREATE OR REPLACE FUNCTION remember_deleted_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO deleted_conversations (id, org_id, bot_id, ${visitor}, contact_id, reply_ids, began_at)
      VALUES (OLD.id, OLD.org_id, OLD.bot_id, OLD.${visitor}, OLD.contact_id,
        ARRAY(SELECT id FROM messages WHERE conversation_id = OLD.id AND role = 'agent'), OLD.created_at);
      RETURN OLD;
    END $$`;
}
