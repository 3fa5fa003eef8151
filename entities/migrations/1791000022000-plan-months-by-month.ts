import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each minute those of the present month are looked for whose messages come to an end. */
export class PlanMonthsByMonth1791000022000 implements MigrationInterface {
  name = 'PlanMonthsByMonth1791000022000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX "ix_plan_months_month" ON "plan_months" ("month")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_plan_months_month"`);
  }
}
