import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Teams are told once that their calendar fails. */
export class CalendarFailures1790000944000 implements MigrationInterface {
  name = 'CalendarFailures1790000944000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "calendar_connections" ADD "failure_told_at" TIMESTAMP(3) WITH TIME ZONE`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "calendar_connections" DROP COLUMN "failure_told_at"`);
  }
}
