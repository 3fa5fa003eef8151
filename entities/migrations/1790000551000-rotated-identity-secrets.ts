import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RotatedIdentitySecrets1790000551000 implements MigrationInterface {
  name = 'RotatedIdentitySecrets1790000551000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "bots"
      ADD "identity_secret_version" integer NOT NULL DEFAULT '0',
      ADD "former_identity_secret_until" TIMESTAMP(3) WITH TIME ZONE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "bots"
      DROP COLUMN "former_identity_secret_until", DROP COLUMN "identity_secret_version"`);
  }
}
