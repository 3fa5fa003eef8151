import type { MigrationInterface, QueryRunner } from 'typeorm';

const NOW = 'TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now()';
const TIME = 'TIMESTAMP(3) WITH TIME ZONE';

/** What is bought, what the provider tells of it, and what was paid. */
export class Checkouts1791000011000 implements MigrationInterface {
  name = 'Checkouts1791000011000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "checkouts" (
      "id" uuid NOT NULL, "org_id" uuid NOT NULL, "product" text NOT NULL, "quantity" integer NOT NULL,
      "kind" text NOT NULL, "state" text NOT NULL DEFAULT 'preparing', "session_id" text, "payment_id" text, "url" text,
      "expires_at" ${TIME} NOT NULL, "refunded_messages" integer NOT NULL DEFAULT '0', "created_by_id" uuid NOT NULL,
      "created_at" ${NOW}, "updated_at" ${NOW},
      CONSTRAINT "pk_checkouts" PRIMARY KEY ("id"),
      CONSTRAINT "fk_checkouts_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE UNIQUE INDEX "uq_checkouts_plan" ON "checkouts" ("org_id")
      WHERE product <> 'topup' AND state IN ('preparing', 'open')`);
    await runner.query(`CREATE UNIQUE INDEX "uq_checkouts_session" ON "checkouts" ("session_id")`);
    await runner.query(`CREATE UNIQUE INDEX "uq_checkouts_payment" ON "checkouts" ("payment_id")`);
    await runner.query(`CREATE INDEX "ix_checkouts_org_id" ON "checkouts" ("org_id", "created_at")`);
    await runner.query(`CREATE INDEX "ix_checkouts_unfinished" ON "checkouts" ("expires_at")
      WHERE state IN ('preparing', 'open', 'paying')`);
    await runner.query(`CREATE TABLE "billing_events" (
      "id" text NOT NULL, "org_id" uuid, "type" text NOT NULL, "customer_id" text, "session_id" text,
      "checkout_id" uuid,
      "outcome" text NOT NULL, "matched_at" ${TIME}, "created_at" ${NOW},
      CONSTRAINT "pk_billing_events" PRIMARY KEY ("id"),
      CONSTRAINT "fk_billing_events_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE INDEX "ix_billing_events_org_id" ON "billing_events" ("org_id")`);
    await runner.query(`CREATE INDEX "ix_billing_events_created_at" ON "billing_events" ("created_at")`);
    await runner.query(`CREATE INDEX "ix_billing_events_unmatched" ON "billing_events" ("created_at")
      WHERE outcome = 'unmatched'`);
    await runner.query(`CREATE TABLE "credit_entries" (
      "id" uuid NOT NULL, "org_id" uuid NOT NULL, "checkout_id" uuid NOT NULL, "provider_ref" text NOT NULL,
      "messages" integer NOT NULL, "created_at" ${NOW},
      CONSTRAINT "pk_credit_entries" PRIMARY KEY ("id"),
      CONSTRAINT "fk_credit_entries_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
      CONSTRAINT "fk_credit_entries_checkout_id" FOREIGN KEY ("checkout_id") REFERENCES "checkouts"("id")
        ON DELETE CASCADE)`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_credit_entries_provider_ref" ON "credit_entries" ("provider_ref")`,
    );
    await runner.query(`CREATE INDEX "ix_credit_entries_org_id" ON "credit_entries" ("org_id")`);
    await runner.query(`CREATE INDEX "ix_credit_entries_checkout_id" ON "credit_entries" ("checkout_id")`);
    await runner.query(`CREATE TABLE "receipts" (
      "id" uuid NOT NULL, "org_id" uuid NOT NULL, "invoice_id" text NOT NULL, "number" text NOT NULL,
      "issued_at" ${TIME} NOT NULL, "amount_cents" integer NOT NULL, "tax_cents" integer NOT NULL,
      "currency" text NOT NULL, "status" text NOT NULL, "description" text NOT NULL, "addressee" jsonb NOT NULL,
      "sha256" text, "stored_at" ${TIME}, "created_at" ${NOW},
      CONSTRAINT "pk_receipts" PRIMARY KEY ("id"),
      CONSTRAINT "fk_receipts_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE UNIQUE INDEX "uq_receipts_invoice" ON "receipts" ("invoice_id")`);
    await runner.query(`CREATE INDEX "ix_receipts_org_id" ON "receipts" ("org_id", "issued_at", "id")`);
    await runner.query(
      `CREATE INDEX "ix_receipts_without_file" ON "receipts" ("created_at") WHERE stored_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['receipts', 'credit_entries', 'billing_events', 'checkouts'])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
