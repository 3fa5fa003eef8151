import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What bots were given as handoff_config had no shape and no effect until it got a documented one. */
export class HandoffSettings1790000532000 implements MigrationInterface {
  name = 'HandoffSettings1790000532000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE "bots" SET handoff_config = NULL WHERE handoff_config IS NOT NULL`);
  }

  /** Nothing was lost that had been of use. */
  async down(): Promise<void> {}
}
