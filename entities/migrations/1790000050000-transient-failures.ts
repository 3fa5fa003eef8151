import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refusals for good say nothing about whether an endpoint is down: only transient failures hold its deliveries back. */
export class TransientFailures1790000050000 implements MigrationInterface {
  name = 'TransientFailures1790000050000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "webhooks" ADD "transient_failures" integer NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "webhooks" DROP COLUMN "transient_failures"`);
  }
}
