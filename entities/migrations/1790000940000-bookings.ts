import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Meetings that visitors and teams book, and the calendars that they are written to. Of two bookings of a workspace that would
 * overlap, with the pause after each, the second one is not inserted: the row itself holds the slot.
 */
export class Bookings1790000940000 implements MigrationInterface {
  name = 'Bookings1790000940000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS btree_gist');
    await makeConnections(runner);
    await makeBookings(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "bookings"`);
    await runner.query(`DROP TABLE "calendar_busy"`);
    await runner.query(`DROP TABLE "calendar_attempts"`);
    await runner.query(`DROP TABLE "calendar_connections"`);
  }
}

async function makeConnections(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE "calendar_connections" (
      "id" uuid NOT NULL,
      "org_id" uuid NOT NULL,
      "provider" text NOT NULL,
      "account_email" text,
      "sealed_credentials" text,
      "settings" jsonb NOT NULL DEFAULT '{}',
      "provider_timezone" text,
      "primary_calendar_id" text,
      "health" text NOT NULL DEFAULT 'healthy',
      "last_error" text,
      "last_synced_at" TIMESTAMP(3) WITH TIME ZONE,
      "connected_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "connected_by" uuid,
      "refresh_lease_until" TIMESTAMP(3) WITH TIME ZONE,
      "sync_due_at" TIMESTAMP(3) WITH TIME ZONE,
      "used_at" TIMESTAMP(3) WITH TIME ZONE,
      "hidden_at" TIMESTAMP(3) WITH TIME ZONE,
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_calendar_connections" PRIMARY KEY ("id"),
      CONSTRAINT "fk_calendar_connections_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
      CONSTRAINT "fk_calendar_connections_connected_by" FOREIGN KEY ("connected_by") REFERENCES "users"("id") ON DELETE SET NULL
    )`);
  await runner.query(
    `CREATE UNIQUE INDEX "uq_calendar_connections_org" ON "calendar_connections" ("org_id") WHERE hidden_at IS NULL`,
  );
  await runner.query(`CREATE INDEX "ix_calendar_connections_org_id" ON "calendar_connections" ("org_id")`);
  await runner.query(
    `CREATE INDEX "ix_calendar_connections_connected_by" ON "calendar_connections" ("connected_by")`,
  );
  await runner.query(
    `CREATE INDEX "ix_calendar_connections_due" ON "calendar_connections" ("sync_due_at") WHERE hidden_at IS NULL AND sync_due_at IS NOT NULL`,
  );
  await runner.query(
    `CREATE INDEX "ix_calendar_connections_hidden" ON "calendar_connections" ("hidden_at") WHERE hidden_at IS NOT NULL`,
  );
  await runner.query(`CREATE TABLE "calendar_attempts" (
      "id" uuid NOT NULL,
      "org_id" uuid NOT NULL,
      "user_id" uuid,
      "provider" text NOT NULL,
      "state_digest" text NOT NULL,
      "browser_digest" text,
      "sealed_verifier" text,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_calendar_attempts" PRIMARY KEY ("id"),
      CONSTRAINT "fk_calendar_attempts_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
      CONSTRAINT "fk_calendar_attempts_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE
    )`);
  await runner.query(
    `CREATE UNIQUE INDEX "uq_calendar_attempts_state" ON "calendar_attempts" ("state_digest")`,
  );
  await runner.query(`CREATE INDEX "ix_calendar_attempts_org_id" ON "calendar_attempts" ("org_id")`);
  await runner.query(`CREATE INDEX "ix_calendar_attempts_user_id" ON "calendar_attempts" ("user_id")`);
  await runner.query(`CREATE INDEX "ix_calendar_attempts_expires" ON "calendar_attempts" ("expires_at")`);
  await runner.query(`CREATE TABLE "calendar_busy" (
      "connection_id" uuid NOT NULL,
      "calendar_id" text NOT NULL,
      "org_id" uuid NOT NULL,
      "busy" integer[] NOT NULL DEFAULT '{}',
      "covers_from" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "covers_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "synced_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_calendar_busy" PRIMARY KEY ("connection_id", "calendar_id"),
      CONSTRAINT "fk_calendar_busy_connection_id" FOREIGN KEY ("connection_id") REFERENCES "calendar_connections"("id") ON DELETE CASCADE
    )`);
}

async function makeBookings(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE "bookings" (
      "id" uuid NOT NULL,
      "org_id" uuid NOT NULL,
      "bot_id" uuid,
      "conversation_id" uuid,
      "contact_id" uuid,
      "booked_by" uuid,
      "status" text NOT NULL DEFAULT 'confirmed',
      "source" text NOT NULL,
      "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "blocked_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "exclusive" boolean NOT NULL DEFAULT true,
      "sequence" integer NOT NULL DEFAULT 0,
      "timezone" text NOT NULL,
      "attendee_timezone" text,
      "language" text,
      "summary" text NOT NULL,
      "description" text,
      "attendee_name" text,
      "attendee_email" text,
      "connection_id" uuid,
      "calendar_id" text,
      "event_id" text,
      "event_version" text,
      "calendar_status" text NOT NULL DEFAULT 'none',
      "calendar_error" text,
      "conflict" boolean NOT NULL DEFAULT false,
      "cancelled_at" TIMESTAMP(3) WITH TIME ZONE,
      "cancelled_by" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_bookings" PRIMARY KEY ("id"),
      CONSTRAINT "ck_bookings_times" CHECK (starts_at < ends_at AND ends_at <= blocked_until),
      CONSTRAINT "ex_bookings_slot" EXCLUDE USING gist (org_id WITH =, tstzrange(starts_at, blocked_until) WITH &&) WHERE (status = 'confirmed' AND exclusive),
      CONSTRAINT "fk_bookings_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
      CONSTRAINT "fk_bookings_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE SET NULL,
      CONSTRAINT "fk_bookings_conversation_id" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE SET NULL,
      CONSTRAINT "fk_bookings_contact_id" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE SET NULL,
      CONSTRAINT "fk_bookings_booked_by" FOREIGN KEY ("booked_by") REFERENCES "users"("id") ON DELETE SET NULL,
      CONSTRAINT "fk_bookings_connection_id" FOREIGN KEY ("connection_id") REFERENCES "calendar_connections"("id") ON DELETE SET NULL
    )`);
  await runner.query(`CREATE INDEX "ix_bookings_org_start" ON "bookings" ("org_id", "starts_at", "id")`);
  await runner.query(
    `CREATE INDEX "ix_bookings_blocking" ON "bookings" ("org_id", "blocked_until", "starts_at") WHERE status = 'confirmed'`,
  );
  await runner.query(
    `CREATE INDEX "ix_bookings_attendee" ON "bookings" ("org_id", lower(attendee_email), "starts_at") WHERE status = 'confirmed'`,
  );
  for (const column of ['bot_id', 'conversation_id', 'contact_id', 'booked_by', 'connection_id'])
    await runner.query(`CREATE INDEX "ix_bookings_${column}" ON "bookings" ("${column}")`);
}
