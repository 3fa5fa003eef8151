import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever deletes a conversation, be it the team or the purge of its bot, an erasure of its visitor finds its copies. */
export class DeletedConversations1790000180000 implements MigrationInterface {
  name = 'DeletedConversations1790000180000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "deleted_conversations" (
      "id" uuid NOT NULL,
      "org_id" uuid NOT NULL,
      "bot_id" uuid NOT NULL,
      "visitor_id" text NOT NULL,
      "contact_id" uuid,
      "reply_ids" uuid array NOT NULL,
      "began_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "deleted_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_deleted_conversations" PRIMARY KEY ("id"),
      CONSTRAINT "fk_deleted_conversations_contact_id" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id")
        ON DELETE CASCADE ON UPDATE NO ACTION)`);
    await queryRunner.query(
      `CREATE INDEX "ix_deleted_conversations_visitor" ON "deleted_conversations" ("bot_id", "visitor_id") WHERE contact_id IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "ix_deleted_conversations_contact" ON "deleted_conversations" ("contact_id") WHERE contact_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "ix_deleted_conversations_deleted" ON "deleted_conversations" ("deleted_at")`,
    );
    await queryRunner.query(`CREATE FUNCTION remember_deleted_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO deleted_conversations (id, org_id, bot_id, visitor_id, contact_id, reply_ids, began_at)
        VALUES (OLD.id, OLD.org_id, OLD.bot_id, OLD.visitor_id, OLD.contact_id,
          ARRAY(SELECT id FROM messages WHERE conversation_id = OLD.id AND role = 'agent'), OLD.created_at);
        RETURN OLD;
      END $$`);
    await queryRunner.query(`CREATE TRIGGER tr_conversations_remember BEFORE DELETE ON "conversations" FOR EACH ROW
      EXECUTE FUNCTION remember_deleted_conversation()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER tr_conversations_remember ON "conversations"`);
    await queryRunner.query(`DROP FUNCTION remember_deleted_conversation`);
    await queryRunner.query(`DROP TABLE "deleted_conversations"`);
  }
}
