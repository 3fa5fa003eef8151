import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the team has removed from a contact does not come back from a conversation that is read again. */
export class RemovedFields1790000181000 implements MigrationInterface {
  name = 'RemovedFields1790000181000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "contacts" ADD "removed_fields" text array NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "contacts" DROP COLUMN "removed_fields"`);
  }
}
