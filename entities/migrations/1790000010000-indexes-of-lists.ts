import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists are read in the order of an index under every filter, also where hardly any row fits it. */
export class IndexesOfLists1790000010000 implements MigrationInterface {
  name = 'IndexesOfLists1790000010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_conversations_bot_created"`);
    await runner.query(
      `CREATE INDEX "ix_conversations_bot_created" ON "conversations" ("bot_id", "org_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_conversations_status" ON "conversations" ("org_id", "status", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_conversations_resolved" ON "conversations" ("org_id", "is_resolved", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_conversations_leads" ON "conversations" ("org_id", "created_at", "id") WHERE is_lead`,
    );
    await runner.query(
      `CREATE INDEX "ix_conversations_rating" ON "conversations" ("org_id", "rating", "created_at", "id") WHERE rating IS NOT NULL`,
    );
    await runner.query(`DROP INDEX "ix_documents_bot_id"`);
    await runner.query(
      `CREATE INDEX "ix_documents_status" ON "documents" ("bot_id", "org_id", "status", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_webhook_created" ON "webhook_deliveries" ("webhook_id", "org_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_event" ON "webhook_deliveries" ("org_id", "event", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_undelivered" ON "webhook_deliveries" ("org_id", "status", "created_at", "id") WHERE status IN ('retrying', 'failed')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of [
      'webhook_deliveries_undelivered',
      'webhook_deliveries_event',
      'webhook_deliveries_webhook_created',
      'documents_status',
      'conversations_rating',
      'conversations_leads',
      'conversations_resolved',
      'conversations_status',
      'conversations_bot_created',
    ]) {
      await runner.query(`DROP INDEX "ix_${name}"`);
    }
    await runner.query(`CREATE INDEX "ix_documents_bot_id" ON "documents" ("bot_id")`);
    await runner.query(
      `CREATE INDEX "ix_conversations_bot_created" ON "conversations" ("bot_id", "created_at", "id")`,
    );
  }
}
