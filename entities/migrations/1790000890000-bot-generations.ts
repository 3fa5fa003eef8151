import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drafts of bots: what was asked for, what was read of the website, and what came of it. */
export class BotGenerations1790000890000 implements MigrationInterface {
  name = 'BotGenerations1790000890000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "bot_generations" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "input" jsonb NOT NULL,
        "state" text NOT NULL DEFAULT 'queued',
        "site" jsonb,
        "is_site_refused" boolean NOT NULL DEFAULT false,
        "icon" bytea,
        "blueprint" jsonb,
        "generated_by" text,
        "failure" text,
        "notes" text array NOT NULL DEFAULT '{}',
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        CONSTRAINT "pk_bot_generations" PRIMARY KEY ("id"),
        CONSTRAINT "fk_bot_generations_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "ix_bot_generations_org_id" ON "bot_generations" ("org_id")`);
    await runner.query(`CREATE INDEX "ix_bot_generations_expires_at" ON "bot_generations" ("expires_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "bot_generations"`);
  }
}
