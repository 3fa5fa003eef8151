import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many flows of a bot are active, which spares the others a query at each turn; what messages ask, and which option was picked. */
export class ActiveFlows1790000910000 implements MigrationInterface {
  name = 'ActiveFlows1790000910000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "bots" ADD "active_flow_count" integer NOT NULL DEFAULT 0`);
    await runner.query(`UPDATE "bots" b SET "active_flow_count" = n.active
        FROM (SELECT "bot_id", count(*)::int AS active FROM "flows" WHERE "is_active" GROUP BY "bot_id") n
        WHERE b."id" = n."bot_id"`);
    await runner.query(`ALTER TABLE "messages" ADD "input" jsonb`);
    await runner.query(`ALTER TABLE "messages" ADD "option_id" text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "messages" DROP COLUMN "option_id"`);
    await runner.query(`ALTER TABLE "messages" DROP COLUMN "input"`);
    await runner.query(`ALTER TABLE "bots" DROP COLUMN "active_flow_count"`);
  }
}
