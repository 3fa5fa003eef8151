import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the database table of people's preferences for the console. */
export class ConsolePreferences1796104000000 implements MigrationInterface {
  readonly name = 'ConsolePreferences1796104000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE console_preferences (
        user_id uuid NOT NULL,
        theme text NOT NULL DEFAULT 'auto',
        time_zone text,
        notifies_waiting boolean NOT NULL DEFAULT false,
        notifies_assigned boolean NOT NULL DEFAULT false,
        notifies_reply boolean NOT NULL DEFAULT false,
        notifies_by_sound boolean NOT NULL DEFAULT false,
        dismissed_in uuid[] NOT NULL DEFAULT '{}',
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_console_preferences PRIMARY KEY (user_id),
        CONSTRAINT fk_console_preferences_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE console_preferences');
  }
}
