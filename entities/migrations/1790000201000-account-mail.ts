import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links and codes that people are mailed, and the requests for them, which workers answer. */
export class AccountMail1790000201000 implements MigrationInterface {
  name = 'AccountMail1790000201000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "account_links" (
      "digest" text NOT NULL,
      "user_id" uuid NOT NULL,
      "purpose" text NOT NULL,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_account_links" PRIMARY KEY ("digest"),
      CONSTRAINT "fk_account_links_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION)`);
    await runner.query(`CREATE INDEX "ix_account_links_user_id" ON "account_links" ("user_id")`);
    await runner.query(`CREATE INDEX "ix_account_links_expires_at" ON "account_links" ("expires_at")`);
    await runner.query(`CREATE TABLE "sign_in_codes" (
      "email" text NOT NULL,
      "digest" text NOT NULL,
      "tries" integer NOT NULL DEFAULT 0,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "pk_sign_in_codes" PRIMARY KEY ("email"))`);
    await runner.query(`CREATE INDEX "ix_sign_in_codes_expires_at" ON "sign_in_codes" ("expires_at")`);
    await runner.query(`CREATE TABLE "account_requests" (
      "id" uuid NOT NULL,
      "kind" text NOT NULL,
      "email" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_account_requests" PRIMARY KEY ("id"))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['account_requests', 'sign_in_codes', 'account_links']) {
      await runner.query(`DROP TABLE "${table}"`);
    }
  }
}
