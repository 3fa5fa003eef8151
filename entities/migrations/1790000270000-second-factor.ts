import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Authenticator apps and recovery codes. */
export class SecondFactor1790000270000 implements MigrationInterface {
  name = 'SecondFactor1790000270000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "totp_secrets" (
      "id" uuid NOT NULL,
      "user_id" uuid NOT NULL,
      "secret" text,
      "pending_secret" text,
      "last_step" integer NOT NULL DEFAULT 0,
      "recovery_generated_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_totp_secrets" PRIMARY KEY ("id"),
      CONSTRAINT "fk_totp_secrets_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION)`);
    await runner.query(`CREATE UNIQUE INDEX "uq_totp_secrets_user_id" ON "totp_secrets" ("user_id")`);
    await runner.query(`CREATE TABLE "recovery_codes" (
      "digest" text NOT NULL,
      "user_id" uuid NOT NULL,
      CONSTRAINT "pk_recovery_codes" PRIMARY KEY ("digest"),
      CONSTRAINT "fk_recovery_codes_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION)`);
    await runner.query(`CREATE INDEX "ix_recovery_codes_user_id" ON "recovery_codes" ("user_id")`);
    await runner.query(`CREATE TABLE "answered_challenges" (
      "id" uuid NOT NULL,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "pk_answered_challenges" PRIMARY KEY ("id"))`);
    await runner.query(
      `CREATE INDEX "ix_answered_challenges_expires_at" ON "answered_challenges" ("expires_at")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['answered_challenges', 'recovery_codes', 'totp_secrets']) {
      await runner.query(`DROP TABLE "${table}"`);
    }
  }
}
