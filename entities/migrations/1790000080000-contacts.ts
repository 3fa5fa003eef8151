import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Visitors that are known: one contact for each visitor of a bot, and when a visitor said yes or no to being recorded. */
export class Contacts1790000080000 implements MigrationInterface {
  name = 'Contacts1790000080000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "contacts" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid NOT NULL,
        "visitor_id" text NOT NULL,
        "name" text,
        "email" text,
        "phone" text,
        "country" text,
        "custom_fields" jsonb NOT NULL DEFAULT '{}',
        "tags" text array NOT NULL DEFAULT '{}',
        "is_lead" boolean NOT NULL DEFAULT false,
        "first_seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_contacts" PRIMARY KEY ("id"),
        CONSTRAINT "fk_contacts_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
        CONSTRAINT "fk_contacts_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE ON UPDATE NO ACTION
      )`);
    await runner.query(`CREATE UNIQUE INDEX "uq_contacts_visitor" ON "contacts" ("bot_id", "visitor_id")`);
    await runner.query(`CREATE INDEX "ix_contacts_org_created" ON "contacts" ("org_id", "created_at", "id")`);
    await runner.query(
      `CREATE INDEX "ix_contacts_bot_created" ON "contacts" ("bot_id", "org_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_contacts_leads" ON "contacts" ("org_id", "created_at", "id") WHERE is_lead`,
    );
    await runner.query(
      `CREATE INDEX "ix_contacts_country" ON "contacts" ("org_id", "country", "created_at", "id") WHERE country IS NOT NULL`,
    );
    await runner.query(`ALTER TABLE "conversations" ADD "consent_at" TIMESTAMP(3) WITH TIME ZONE`);
    await runner.query(
      `CREATE INDEX "ix_conversations_visitor" ON "conversations" ("bot_id", "visitor_id", "created_at", "id")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_conversations_visitor"`);
    await runner.query(`ALTER TABLE "conversations" DROP COLUMN "consent_at"`);
    await runner.query(`DROP TABLE "contacts"`);
  }
}
