import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who is told of what in a messaging app, and what was sent there. */
export class Alerts1790000950000 implements MigrationInterface {
  name = 'Alerts1790000950000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#places(runner);
    await this.#messages(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "alert_inbound"`);
    await runner.query(`DROP TABLE "alert_providers"`);
    await runner.query(`DROP TABLE "alert_days"`);
    await runner.query(`DROP TABLE "alert_messages"`);
    await runner.query(`DROP TABLE "alerts"`);
    await runner.query(`DROP TABLE "alert_policies"`);
    await runner.query(`DROP TABLE "alert_attempts"`);
    await runner.query(`DROP TABLE "alert_destinations"`);
  }

  async #places(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "alert_destinations" (
        "org_id" uuid NOT NULL,
        "channel" text NOT NULL,
        "destination" text NOT NULL,
        "name" text,
        "verified_at" TIMESTAMP(3) WITH TIME ZONE,
        "verified_by" text,
        "consent" text,
        "last_inbound_at" TIMESTAMP(3) WITH TIME ZONE,
        "blocked_at" TIMESTAMP(3) WITH TIME ZONE,
        "blocked_reason" text,
        "undeliverable" integer NOT NULL DEFAULT 0,
        "code_digest" text,
        "code_expires_at" TIMESTAMP(3) WITH TIME ZONE,
        "code_tries" integer NOT NULL DEFAULT 0,
        "next_code_at" TIMESTAMP(3) WITH TIME ZONE,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_alert_destinations" PRIMARY KEY ("org_id", "channel", "destination"),
        CONSTRAINT "fk_alert_destinations_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE INDEX "ix_alert_destinations_place" ON "alert_destinations" ("channel", "destination")`,
    );
    await runner.query(`CREATE TABLE "alert_attempts" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "channel" text NOT NULL,
        "code_digest" text NOT NULL,
        "destination" text,
        "name" text,
        "connected_at" TIMESTAMP(3) WITH TIME ZONE,
        "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_alert_attempts" PRIMARY KEY ("id"),
        CONSTRAINT "fk_alert_attempts_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE UNIQUE INDEX "uq_alert_attempts_code" ON "alert_attempts" ("code_digest")`);
    await runner.query(`CREATE INDEX "ix_alert_attempts_org_id" ON "alert_attempts" ("org_id")`);
    await runner.query(`CREATE INDEX "ix_alert_attempts_expires" ON "alert_attempts" ("expires_at")`);
    await runner.query(`CREATE TABLE "alert_policies" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid,
        "channel" text NOT NULL,
        "destination" text NOT NULL,
        "label" text NOT NULL DEFAULT '',
        "intensity" text NOT NULL,
        "events" text array,
        "digest" text NOT NULL,
        "digest_hour" integer NOT NULL,
        "digest_weekday" integer NOT NULL,
        "daily_cap" integer,
        "timezone" text NOT NULL,
        "next_digest_at" TIMESTAMP(3) WITH TIME ZONE,
        "digested_at" TIMESTAMP(3) WITH TIME ZONE,
        "summary_due_at" TIMESTAMP(3) WITH TIME ZONE,
        "woken_at" TIMESTAMP(3) WITH TIME ZONE,
        "alerted_at" TIMESTAMP(3) WITH TIME ZONE,
        "last_error" text,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_alert_policies" PRIMARY KEY ("id"),
        CONSTRAINT "fk_alert_policies_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
        CONSTRAINT "fk_alert_policies_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_alert_policies_destination" ON "alert_policies" ("org_id", "bot_id", "channel", "destination") NULLS NOT DISTINCT`,
    );
    await runner.query(`CREATE INDEX "ix_alert_policies_bot_id" ON "alert_policies" ("bot_id")`);
    await runner.query(
      `CREATE INDEX "ix_alert_policies_next_digest" ON "alert_policies" ("next_digest_at") WHERE next_digest_at IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX "ix_alert_policies_summary_due" ON "alert_policies" ("summary_due_at") WHERE summary_due_at IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX "ix_alert_policies_woken" ON "alert_policies" ("woken_at") WHERE woken_at IS NOT NULL`,
    );
  }

  async #messages(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "alerts" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "policy_id" uuid NOT NULL,
        "event_id" uuid NOT NULL,
        "bot_id" uuid,
        "name" text NOT NULL,
        "ids" jsonb NOT NULL,
        "severity" text NOT NULL,
        "subject" text NOT NULL,
        "state" text NOT NULL DEFAULT 'pending',
        "reason" text,
        "message_id" uuid,
        "occurred_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_alerts" PRIMARY KEY ("id"),
        CONSTRAINT "fk_alerts_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE UNIQUE INDEX "uq_alerts_policy_event" ON "alerts" ("policy_id", "event_id")`);
    await runner.query(
      `CREATE INDEX "ix_alerts_open" ON "alerts" ("policy_id", "state", "occurred_at") WHERE state IN ('pending', 'held')`,
    );
    await runner.query(
      `CREATE INDEX "ix_alerts_subject" ON "alerts" ("policy_id", "subject", "occurred_at")`,
    );
    await runner.query(`CREATE INDEX "ix_alerts_message_id" ON "alerts" ("message_id")`);
    await runner.query(`CREATE INDEX "ix_alerts_org_bot" ON "alerts" ("org_id", "bot_id")`);
    await runner.query(`CREATE INDEX "ix_alerts_created" ON "alerts" ("created_at")`);
    await runner.query(`CREATE TABLE "alert_messages" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "policy_id" uuid NOT NULL,
        "channel" text NOT NULL,
        "destination" text NOT NULL,
        "kind" text NOT NULL,
        "state" text NOT NULL DEFAULT 'pending',
        "key" text,
        "content" text,
        "attempts" integer NOT NULL DEFAULT 0,
        "started_at" TIMESTAMP(3) WITH TIME ZONE,
        "reason" text,
        "provider_id" text,
        "counted_on" date,
        "expires_at" TIMESTAMP(3) WITH TIME ZONE,
        "finished_at" TIMESTAMP(3) WITH TIME ZONE,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_alert_messages" PRIMARY KEY ("id"),
        CONSTRAINT "fk_alert_messages_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_alert_messages_key" ON "alert_messages" ("key") WHERE key IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX "ix_alert_messages_open" ON "alert_messages" ("policy_id", "created_at") WHERE state IN ('pending', 'sending')`,
    );
    await runner.query(
      `CREATE INDEX "ix_alert_messages_provider" ON "alert_messages" ("provider_id") WHERE provider_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX "ix_alert_messages_kept" ON "alert_messages" ("created_at", "id") WHERE state = 'kept'`,
    );
    await runner.query(`CREATE INDEX "ix_alert_messages_org_id" ON "alert_messages" ("org_id")`);
    await runner.query(`CREATE INDEX "ix_alert_messages_created" ON "alert_messages" ("created_at")`);
    await runner.query(`CREATE TABLE "alert_days" (
        "policy_id" uuid NOT NULL,
        "date" date NOT NULL,
        "org_id" uuid NOT NULL,
        "sent" integer NOT NULL DEFAULT 0,
        "held" integer NOT NULL DEFAULT 0,
        CONSTRAINT "pk_alert_days" PRIMARY KEY ("policy_id", "date"),
        CONSTRAINT "fk_alert_days_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "ix_alert_days_org_id" ON "alert_days" ("org_id")`);
    await runner.query(`CREATE INDEX "ix_alert_days_date" ON "alert_days" ("date")`);
    await runner.query(`CREATE TABLE "alert_providers" (
        "channel" text NOT NULL,
        "account" text NOT NULL,
        "cursor" bigint NOT NULL DEFAULT '0',
        "next_at" TIMESTAMP(3) WITH TIME ZONE,
        "fault" text,
        CONSTRAINT "pk_alert_providers" PRIMARY KEY ("channel", "account")
      )`);
    await runner.query(`CREATE TABLE "alert_inbound" (
        "id" text NOT NULL,
        "received_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_alert_inbound" PRIMARY KEY ("id")
      )`);
    await runner.query(`CREATE INDEX "ix_alert_inbound_received" ON "alert_inbound" ("received_at")`);
  }
}
