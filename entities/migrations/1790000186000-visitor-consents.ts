import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A refusal outlives the conversation that it was said in. */
export class VisitorConsents1790000186000 implements MigrationInterface {
  name = 'VisitorConsents1790000186000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "visitor_consents" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid NOT NULL,
        "visitor_id" text NOT NULL,
        "contact_id" uuid,
        "consent" text NOT NULL,
        "said_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_visitor_consents" PRIMARY KEY ("id"),
        CONSTRAINT "fk_visitor_consents_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id")
          ON DELETE CASCADE ON UPDATE NO ACTION,
        CONSTRAINT "fk_visitor_consents_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id")
          ON DELETE CASCADE ON UPDATE NO ACTION,
        CONSTRAINT "fk_visitor_consents_contact_id" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id")
          ON DELETE CASCADE ON UPDATE NO ACTION
      )`);
    await runner.query(
      `CREATE INDEX "ix_visitor_consents_visitor" ON "visitor_consents" ("bot_id", "visitor_id", "said_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_visitor_consents_contact" ON "visitor_consents" ("contact_id", "said_at", "id") WHERE contact_id IS NOT NULL`,
    );
    await runner.query(`INSERT INTO "visitor_consents" (id, org_id, bot_id, visitor_id, contact_id, consent, said_at)
      SELECT id, org_id, bot_id, visitor_id, contact_id, consent, consent_at FROM "conversations"
      WHERE consent_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "visitor_consents"`);
  }
}
