import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What digests and estimates of alerts count, which the outbox forgets. */
export class EventCounts1790000955000 implements MigrationInterface {
  name = 'EventCounts1790000955000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "event_counts" (
      "hour" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "org_id" uuid NOT NULL, "id" uuid NOT NULL, "bot_id" uuid, "name" text NOT NULL,
      "count" integer NOT NULL, CONSTRAINT "pk_event_counts" PRIMARY KEY ("hour", "org_id", "id"))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "event_counts"`);
  }
}
