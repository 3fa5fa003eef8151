import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts at identity providers. */
export class LinkedIdentities1790000271000 implements MigrationInterface {
  name = 'LinkedIdentities1790000271000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "linked_identities" (
      "id" uuid NOT NULL,
      "user_id" uuid NOT NULL,
      "provider" text NOT NULL,
      "issuer" text NOT NULL,
      "subject" text NOT NULL,
      "email" text,
      "last_login_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_linked_identities" PRIMARY KEY ("id"),
      CONSTRAINT "fk_linked_identities_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION)`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_linked_identities_issuer_subject" ON "linked_identities" ("issuer", "subject")`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "uq_linked_identities_user_id_provider" ON "linked_identities" ("user_id", "provider")`,
    );
    await runner.query(`CREATE TABLE "identity_attempts" (
      "verifier_digest" text NOT NULL,
      "state_digest" text NOT NULL,
      "provider" text NOT NULL,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "pk_identity_attempts" PRIMARY KEY ("verifier_digest"))`);
    await runner.query(
      `CREATE INDEX "ix_identity_attempts_expires_at" ON "identity_attempts" ("expires_at")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['identity_attempts', 'linked_identities']) {
      await runner.query(`DROP TABLE "${table}"`);
    }
  }
}
