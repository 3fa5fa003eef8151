import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of contacts, with what they are limited to besides to those that are not erased. */
const lists = [
  ['ix_contacts_org_created', '"org_id", "created_at", "id"', ''],
  ['ix_contacts_leads', '"org_id", "created_at", "id"', 'is_lead'],
  ['ix_contacts_country', '"org_id", "country", "created_at", "id"', 'country IS NOT NULL'],
] as const;

/**
 * Visitors whom the workspace's own server vouches for are one contact on all their devices, and conversations know
 * theirs. An erased contact stays as an empty row until all copies are gone. Streams hear of deleted conversations, too.
 */
export class Identities1790000160000 implements MigrationInterface {
  name = 'Identities1790000160000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "contacts"
      ADD "identity" text,
      ADD "email_verified" boolean NOT NULL DEFAULT false,
      ADD "deleted_at" TIMESTAMP(3) WITH TIME ZONE,
      ADD "erased_ids" uuid array NOT NULL DEFAULT '{}'`);
    await runner.query(`DROP INDEX "uq_contacts_visitor"`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_contacts_visitor" ON "contacts" ("bot_id", "visitor_id") WHERE identity IS NULL AND deleted_at IS NULL`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "uq_contacts_identity" ON "contacts" ("org_id", "identity") WHERE identity IS NOT NULL AND deleted_at IS NULL`,
    );
    for (const [name, columns, condition] of lists) {
      await runner.query(`DROP INDEX "${name}"`);
      const shown = [condition, 'deleted_at IS NULL'].filter(Boolean).join(' AND ');
      await runner.query(`CREATE INDEX "${name}" ON "contacts" (${columns}) WHERE ${shown}`);
    }
    await runner.query(`ALTER TABLE "conversations"
      ADD "contact_id" uuid,
      ADD "country" text,
      ADD CONSTRAINT "fk_conversations_contact_id" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id")
        ON DELETE SET NULL ON UPDATE NO ACTION`);
    await runner.query(
      `CREATE INDEX "ix_conversations_contact" ON "conversations" ("contact_id", "created_at", "id") WHERE contact_id IS NOT NULL`,
    );
    await runner.query(`CREATE FUNCTION notify_conversation_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parley_conversations', OLD.org_id || ' ' || OLD.id);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_conversations_deletion AFTER DELETE ON "conversations" FOR EACH ROW
      WHEN (OLD.status <> 'ended') EXECUTE FUNCTION notify_conversation_deletion()`);
  }

  /** Of several contacts with one visitor id, which the schema before cannot hold, the first stays. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tr_conversations_deletion ON "conversations"`);
    await runner.query(`DROP FUNCTION notify_conversation_deletion`);
    await runner.query(`DROP INDEX "ix_conversations_contact"`);
    await runner.query(`ALTER TABLE "conversations" DROP COLUMN "country", DROP COLUMN "contact_id"`);
    await runner.query(`DELETE FROM "contacts" k WHERE k.deleted_at IS NOT NULL OR EXISTS (
      SELECT FROM "contacts" other WHERE other.bot_id = k.bot_id AND other.visitor_id = k.visitor_id
        AND other.deleted_at IS NULL AND other.id < k.id)`);
    for (const [name, columns, condition] of lists) {
      await runner.query(`DROP INDEX "${name}"`);
      const where = condition ? ` WHERE ${condition}` : '';
      await runner.query(`CREATE INDEX "${name}" ON "contacts" (${columns})${where}`);
    }
    await runner.query(`DROP INDEX "uq_contacts_identity"`);
    await runner.query(`DROP INDEX "uq_contacts_visitor"`);
    await runner.query(`CREATE UNIQUE INDEX "uq_contacts_visitor" ON "contacts" ("bot_id", "visitor_id")`);
    await runner.query(`ALTER TABLE "contacts"
      DROP COLUMN "erased_ids", DROP COLUMN "deleted_at", DROP COLUMN "email_verified",
      DROP COLUMN "identity"`);
  }
}
