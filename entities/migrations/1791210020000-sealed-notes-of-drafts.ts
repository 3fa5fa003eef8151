import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is noted about a draft is sealed with it from now on; what stands readable in sealed rows would not open. */
export class SealedNotesOfDrafts1791210020000 implements MigrationInterface {
  name = 'SealedNotesOfDrafts1791210020000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#forgetNotes(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.#forgetNotes(runner);
  }

  async #forgetNotes(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE "bot_generations" SET "notes" = '{}', "failure" = NULL WHERE "key_id" IS NOT NULL`,
    );
  }
}
