import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An endpoint with a long log takes a while to remove; meanwhile it is hidden. */
export class HiddenWebhooks1790000130000 implements MigrationInterface {
  name = 'HiddenWebhooks1790000130000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "webhooks" ADD "deleted_at" TIMESTAMP(3) WITH TIME ZONE`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM "webhooks" WHERE "deleted_at" IS NOT NULL`);
    await queryRunner.query(`ALTER TABLE "webhooks" DROP COLUMN "deleted_at"`);
  }
}
