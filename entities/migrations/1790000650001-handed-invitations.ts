import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The link of an invitation that its inviter hands on, beside the one that is mailed. */
export class HandedInvitations1790000650001 implements MigrationInterface {
  name = 'HandedInvitations1790000650001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "invitations" ADD "handed_digest" text`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_invitations_handed_digest" ON "invitations" ("handed_digest") WHERE handed_digest IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "invitations" DROP COLUMN "handed_digest"`);
  }
}
