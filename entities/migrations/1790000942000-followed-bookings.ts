import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What attendees and the team were told of a booking, so that a workflow that begins again tells them nothing twice, and when
 * the workflow is due, so that one that was lost is found.
 */
export class FollowedBookings1790000942000 implements MigrationInterface {
  name = 'FollowedBookings1790000942000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "bookings"
      ADD COLUMN "invited_sequence" integer,
      ADD COLUMN "invited_at" TIMESTAMP(3) WITH TIME ZONE,
      ADD COLUMN "reminded_sequence" integer,
      ADD COLUMN "announced_sequence" integer,
      ADD COLUMN "conflict_sequence" integer,
      ADD COLUMN "follow_due_at" TIMESTAMP(3) WITH TIME ZONE DEFAULT now()`);
    await runner.query(
      `CREATE INDEX "ix_bookings_follow_due" ON "bookings" ("follow_due_at") WHERE follow_due_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "ix_bookings_follow_due"');
    await runner.query(`ALTER TABLE "bookings"
      DROP COLUMN "invited_sequence", DROP COLUMN "invited_at", DROP COLUMN "reminded_sequence",
      DROP COLUMN "announced_sequence", DROP COLUMN "conflict_sequence", DROP COLUMN "follow_due_at"`);
  }
}
