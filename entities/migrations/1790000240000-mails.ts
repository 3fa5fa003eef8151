import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails wait in a table, since the links and codes in them must not show in a workflow's history. */
export class Mails1790000240000 implements MigrationInterface {
  name = 'Mails1790000240000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "mails" (
        "id" uuid NOT NULL,
        "org_id" uuid,
        "user_id" uuid,
        "template" text NOT NULL,
        "key" text,
        "content" text,
        "state" text NOT NULL DEFAULT 'pending',
        "attempts" integer NOT NULL DEFAULT 0,
        "reason" text,
        "finished_at" TIMESTAMP(3) WITH TIME ZONE,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_mails" PRIMARY KEY ("id")
      )`);
    await runner.query(`CREATE UNIQUE INDEX "uq_mails_key" ON "mails" ("key") WHERE key IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "mails"`);
  }
}
