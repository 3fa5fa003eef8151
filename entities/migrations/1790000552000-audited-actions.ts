import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditedActions1790000552000 implements MigrationInterface {
  name = 'AuditedActions1790000552000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "audit_events" ADD "action" text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "audit_events" DROP COLUMN "action"`);
  }
}
