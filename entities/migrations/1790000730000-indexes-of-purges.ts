import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever removes what a bot, a workspace or a person leaves behind reads that alone, however much others have. */
export class IndexesOfPurges1790000730000 implements MigrationInterface {
  name = 'IndexesOfPurges1790000730000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX "ix_chunks_org_bot" ON "chunks" ("org_id", "bot_id")`);
    await runner.query(`DROP INDEX "ix_chunks_org_id"`);
    await runner.query(
      `CREATE INDEX "ix_deleted_conversations_org_bot" ON "deleted_conversations" ("org_id", "bot_id", "browser_id")`,
    );
    await runner.query(`DROP INDEX "ix_deleted_conversations_browser"`);
    // Their bot's foreign key removes them; this one would look for them without an index.
    await runner.query(`ALTER TABLE "visitor_consents" DROP CONSTRAINT "fk_visitor_consents_org_id"`);
    await runner.query(`CREATE INDEX "ix_mails_org" ON "mails" ("org_id") WHERE org_id IS NOT NULL`);
    await runner.query(
      `CREATE INDEX "ix_monthly_usage_told" ON "monthly_usage" ("month") WHERE told_percent > 0`,
    );
    await runner.query(
      `CREATE INDEX "ix_bots_capped" ON "bots" ("id") WHERE monthly_message_cap > 0 AND deleted_at IS NULL`,
    );
    // So that a workspace's principals are neighbours in the index, whatever the language of the database.
    await runner.query(
      `ALTER TABLE "idempotency_keys" ALTER COLUMN "principal" TYPE text COLLATE "C", ALTER COLUMN "key" TYPE text COLLATE "C"`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "idempotency_keys" ALTER COLUMN "principal" TYPE text, ALTER COLUMN "key" TYPE text`,
    );
    await runner.query(`DROP INDEX "ix_bots_capped"`);
    await runner.query(`DROP INDEX "ix_monthly_usage_told"`);
    await runner.query(`DROP INDEX "ix_mails_org"`);
    await runner.query(
      `DELETE FROM "visitor_consents" v WHERE NOT EXISTS (SELECT FROM "orgs" o WHERE o.id = v.org_id)`,
    );
    await runner.query(
      `ALTER TABLE "visitor_consents" ADD CONSTRAINT "fk_visitor_consents_org_id" FOREIGN KEY ("org_id")
       REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `CREATE INDEX "ix_deleted_conversations_browser" ON "deleted_conversations" ("bot_id", "browser_id") WHERE contact_id IS NULL`,
    );
    await runner.query(`DROP INDEX "ix_deleted_conversations_org_bot"`);
    await runner.query(`CREATE INDEX "ix_chunks_org_id" ON "chunks" ("org_id")`);
    await runner.query(`DROP INDEX "ix_chunks_org_bot"`);
  }
}
