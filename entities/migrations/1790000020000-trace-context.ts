import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Work that is handed on names the trace it belongs to, so that one trace shows all of it. */
export class TraceContext1790000020000 implements MigrationInterface {
  name = 'TraceContext1790000020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "outbox" ADD "traceparent" text`);
    await runner.query(`ALTER TABLE "webhook_deliveries" ADD "traceparent" text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "webhook_deliveries" DROP COLUMN "traceparent"`);
    await runner.query(`ALTER TABLE "outbox" DROP COLUMN "traceparent"`);
  }
}
