import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds an index for the newest answered handoffs of a bot, from which the widget says how soon the team replies. */
export class HandoffAnswers1796116000000 implements MigrationInterface {
  readonly name = 'HandoffAnswers1796116000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX ix_handoffs_answered ON handoffs (bot_id, answered_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_handoffs_answered');
  }
}
