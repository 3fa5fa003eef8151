import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Both queues are read workspace by workspace, so that none has to wait behind the backlog of another. */
export class QueuesByWorkspace1790000120000 implements MigrationInterface {
  name = 'QueuesByWorkspace1790000120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_outbox_due"`);
    await runner.query(`CREATE INDEX "ix_outbox_due" ON "outbox" ("kind", "org_id", "due_at", "id")`);
    await runner.query(`DROP INDEX "ix_webhook_deliveries_pending"`);
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_pending" ON "webhook_deliveries" ("org_id", "webhook_id", "due_at")
       WHERE status = 'pending'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_webhook_deliveries_pending"`);
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_pending" ON "webhook_deliveries" ("webhook_id", "due_at")
       WHERE status = 'pending'`,
    );
    await runner.query(`DROP INDEX "ix_outbox_due"`);
    await runner.query(`CREATE INDEX "ix_outbox_due" ON "outbox" ("kind", "due_at", "id")`);
  }
}
