import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a chat takes the next message. */
export class TurnsOfChats1790000959000 implements MigrationInterface {
  name = 'TurnsOfChats1790000959000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "alert_destinations" ADD "next_at" TIMESTAMP(3) WITH TIME ZONE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "alert_destinations" DROP COLUMN "next_at"`);
  }
}
