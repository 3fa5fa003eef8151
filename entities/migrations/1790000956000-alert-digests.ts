import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was summed up for whom, and up to when. */
export class AlertDigests1790000956000 implements MigrationInterface {
  name = 'AlertDigests1790000956000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "alert_digests" (
      "policy_id" uuid NOT NULL, "date" date NOT NULL, "org_id" uuid NOT NULL,
      "is_digest" boolean NOT NULL DEFAULT false, "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "state" text NOT NULL DEFAULT 'due', "reason" text,
      "begins_at" TIMESTAMP(3) WITH TIME ZONE, "ends_at" TIMESTAMP(3) WITH TIME ZONE,
      "counts" jsonb NOT NULL DEFAULT '{}', "seen" jsonb NOT NULL DEFAULT '{}',
      "waiting" integer NOT NULL DEFAULT 0, "bookings" integer NOT NULL DEFAULT 0, "held" integer NOT NULL DEFAULT 0,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_alert_digests" PRIMARY KEY ("policy_id", "date"),
      CONSTRAINT "fk_alert_digests_policy_id" FOREIGN KEY ("policy_id") REFERENCES "alert_policies"("id") ON DELETE CASCADE)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "alert_digests"`);
  }
}
