import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  '"customer_id" text',
  `"customer_attempts" integer NOT NULL DEFAULT '0'`,
  '"subscription_id" text',
  '"price_id" text',
  `"status" text NOT NULL DEFAULT 'none'`,
  '"period_start" TIMESTAMP(3) WITH TIME ZONE',
  '"period_end" TIMESTAMP(3) WITH TIME ZONE',
  '"ends_at" TIMESTAMP(3) WITH TIME ZONE',
  `"other_subscriptions" jsonb NOT NULL DEFAULT '{}'`,
  `"version" integer NOT NULL DEFAULT '0'`,
  '"synced_at" TIMESTAMP(3) WITH TIME ZONE',
  `"profile" jsonb NOT NULL DEFAULT '{}'`,
  '"profile_saved_at" TIMESTAMP(3) WITH TIME ZONE',
  `"profile_version" integer NOT NULL DEFAULT '0'`,
  `"pushed_profile_version" integer NOT NULL DEFAULT '0'`,
  `"tax_id_status" text NOT NULL DEFAULT 'none'`,
];

/** What the payment provider knows of a payer, and whom receipts are addressed to. */
export class BillingAccounts1791000010000 implements MigrationInterface {
  name = 'BillingAccounts1791000010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "billing_accounts" ${COLUMNS.map((column) => `ADD ${column}`).join(', ')}`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "uq_billing_accounts_customer" ON "billing_accounts" ("customer_id")`,
    );
    await runner.query(`CREATE INDEX "ix_billing_accounts_synced_at" ON "billing_accounts" ("synced_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_billing_accounts_synced_at"`);
    await runner.query(`DROP INDEX "uq_billing_accounts_customer"`);
    const names = COLUMNS.map((column) => `DROP COLUMN ${column.slice(0, column.indexOf(' '))}`);
    await runner.query(`ALTER TABLE "billing_accounts" ${names.join(', ')}`);
  }
}
