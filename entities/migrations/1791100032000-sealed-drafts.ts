import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What bots are drafted from is sealed for as long as it is kept. */
export class SealedDrafts1791100032000 implements MigrationInterface {
  name = 'SealedDrafts1791100032000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "bot_generations" ADD "key_id" uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "bot_generations" DROP COLUMN "key_id"`);
  }
}
