import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only people whose address is confirmed are signed in, so sessions of others end. */
export class ConfirmedSessions1790000540000 implements MigrationInterface {
  name = 'ConfirmedSessions1790000540000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "sessions" s USING "users" u
      WHERE u."id" = s."user_id" AND u."email_verified_at" IS NULL`);
  }

  /** What has ended stays so: whoever it was signs in again. */
  async down(): Promise<void> {}
}
