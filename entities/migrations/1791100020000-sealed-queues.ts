import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  'outbox',
  'webhook_deliveries',
  'mails',
  'alert_messages',
  'flow_sessions',
  'idempotency_keys',
];

/** What waits to be told, and what is kept of it, can be sealed; its workspaces are walked through in the order of time. */
export class SealedQueues1791100020000 implements MigrationInterface {
  name = 'SealedQueues1791100020000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE "${table}" ADD "key_id" uuid`);
    await runner.query(`ALTER TABLE "idempotency_keys" ADD "org_id" uuid, ADD "id" uuid`);
    await runner.query(
      `CREATE INDEX "ix_idempotency_keys_org" ON "idempotency_keys" ("org_id", "created_at", "id") WHERE org_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "uq_idempotency_keys_id" ON "idempotency_keys" ("id") WHERE id IS NOT NULL`,
    );
    await runner.query(`DROP INDEX "ix_mails_org"`);
    await runner.query(
      `CREATE INDEX "ix_mails_org" ON "mails" ("org_id", "created_at", "id") WHERE org_id IS NOT NULL`,
    );
    await runner.query(`DROP INDEX "ix_alert_messages_org_id"`);
    await runner.query(
      `CREATE INDEX "ix_alert_messages_org_id" ON "alert_messages" ("org_id", "created_at", "id")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_alert_messages_org_id"`);
    await runner.query(`CREATE INDEX "ix_alert_messages_org_id" ON "alert_messages" ("org_id")`);
    await runner.query(`DROP INDEX "ix_mails_org"`);
    await runner.query(`CREATE INDEX "ix_mails_org" ON "mails" ("org_id") WHERE org_id IS NOT NULL`);
    await runner.query(`DROP INDEX "uq_idempotency_keys_id"`);
    await runner.query(`DROP INDEX "ix_idempotency_keys_org"`);
    await runner.query(`ALTER TABLE "idempotency_keys" DROP COLUMN "id", DROP COLUMN "org_id"`);
    for (const table of TABLES) await runner.query(`ALTER TABLE "${table}" DROP COLUMN "key_id"`);
  }
}
