import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who pays for a workspace, and what payers have. Tiers that workspaces have so far were given by operators. */
export class Payers1791000000000 implements MigrationInterface {
  name = 'Payers1791000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "orgs" ADD "payer_id" uuid`);
    await runner.query(`WITH RECURSIVE below AS (
        SELECT id, id AS payer_id, plan_tier FROM orgs WHERE parent_org_id IS NULL
        UNION ALL
        SELECT o.id, b.payer_id, b.plan_tier FROM orgs o JOIN below b ON o.parent_org_id = b.id
      )
      UPDATE orgs SET payer_id = below.payer_id, plan_tier = below.plan_tier FROM below WHERE below.id = orgs.id`);
    await runner.query(`ALTER TABLE "orgs" ALTER COLUMN "payer_id" SET NOT NULL`);
    await runner.query(`CREATE INDEX "ix_orgs_payer" ON "orgs" ("payer_id")`);
    await runner.query(`CREATE TABLE "billing_accounts" (
      "org_id" uuid NOT NULL, "override_tier" text, "paid_tier" text NOT NULL DEFAULT 'free',
      "credits_left" integer NOT NULL DEFAULT '0',
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_billing_accounts" PRIMARY KEY ("org_id"),
      CONSTRAINT "fk_billing_accounts_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
    await runner.query(`INSERT INTO billing_accounts (org_id, override_tier)
      SELECT id, plan_tier FROM orgs WHERE id = payer_id AND plan_tier <> 'free'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "billing_accounts"`);
    await runner.query(`ALTER TABLE "orgs" DROP COLUMN "payer_id"`);
  }
}
