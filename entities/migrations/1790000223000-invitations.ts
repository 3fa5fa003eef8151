import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Invitations1790000223000 implements MigrationInterface {
  name = 'Invitations1790000223000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "invitations" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "email" text NOT NULL,
        "role" text NOT NULL,
        "status" text NOT NULL DEFAULT 'pending',
        "token_digest" text NOT NULL,
        "revision" integer NOT NULL DEFAULT '1',
        "invited_by_id" uuid,
        "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "remind_at" TIMESTAMP(3) WITH TIME ZONE,
        "accepted_at" TIMESTAMP(3) WITH TIME ZONE,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_invitations" PRIMARY KEY ("id"),
        CONSTRAINT "fk_invitations_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
        CONSTRAINT "fk_invitations_invited_by_id" FOREIGN KEY ("invited_by_id") REFERENCES "users"("id") ON DELETE SET NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX "uq_invitations_token_digest" ON "invitations" ("token_digest")`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_invitations_pending" ON "invitations" ("org_id", "email") WHERE status = 'pending'`,
    );
    await runner.query(
      `CREATE INDEX "ix_invitations_org_created" ON "invitations" ("org_id", "created_at", "id")`,
    );
    await runner.query(`CREATE INDEX "ix_invitations_invited_by_id" ON "invitations" ("invited_by_id")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "invitations"`);
  }
}
