import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a bot was, to go back to; an image that a version shows is kept beside the present one. */
export class BotVersions1790000880000 implements MigrationInterface {
  name = 'BotVersions1790000880000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "bot_versions" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid NOT NULL,
        "version" integer NOT NULL,
        "note" text,
        "format" integer NOT NULL,
        "snapshot" jsonb NOT NULL,
        "avatar_id" uuid,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_bot_versions" PRIMARY KEY ("id"),
        CONSTRAINT "fk_bot_versions_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
        CONSTRAINT "fk_bot_versions_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_bot_versions_bot_version" ON "bot_versions" ("bot_id", "version")`,
    );
    await runner.query(`CREATE INDEX "ix_bot_versions_org_id" ON "bot_versions" ("org_id")`);
    await runner.query(
      `CREATE INDEX "ix_bot_versions_avatar" ON "bot_versions" ("bot_id", "avatar_id") WHERE avatar_id IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX "ix_avatars_bot_id" ON "avatars" ("bot_id")`);
    await runner.query(`DROP INDEX "uq_avatars_bot_id"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Each bot keeps the one that it shows, or else its newest; the files of the others go with the bot.
    await runner.query(`
      DELETE FROM "avatars" a USING "bots" b WHERE b.id = a.bot_id AND a.id <> (
        SELECT kept.id FROM "avatars" kept WHERE kept.bot_id = b.id
        ORDER BY coalesce(b.widget_theme ->> 'avatar_url', '') LIKE '%/' || kept.id DESC, kept.id DESC LIMIT 1
      )`);
    await runner.query(`CREATE UNIQUE INDEX "uq_avatars_bot_id" ON "avatars" ("bot_id")`);
    await runner.query(`DROP INDEX "ix_avatars_bot_id"`);
    await runner.query(`DROP TABLE "bot_versions"`);
  }
}
