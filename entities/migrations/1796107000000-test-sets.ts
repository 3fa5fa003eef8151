import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds database tables for the sets of questions with which teams test their bots, and for their runs with
 * the results.
 */
export class TestSets1796107000000 implements MigrationInterface {
  readonly name = 'TestSets1796107000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE test_sets (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        name text NOT NULL,
        questions jsonb NOT NULL,
        question_count integer NOT NULL DEFAULT 0,
        required_percent integer,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        key_id uuid,
        CONSTRAINT pk_test_sets PRIMARY KEY (id),
        CONSTRAINT fk_test_sets_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE test_runs (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        test_set_id uuid NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        version integer,
        configuration jsonb,
        settings_digest text NOT NULL,
        questions jsonb NOT NULL,
        question_count integer NOT NULL DEFAULT 0,
        answered_count integer NOT NULL DEFAULT 0,
        passed_count integer NOT NULL DEFAULT 0,
        cost_usd numeric(16,8),
        error_message text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        started_at timestamptz(3),
        finished_at timestamptz(3),
        key_id uuid,
        CONSTRAINT pk_test_runs PRIMARY KEY (id),
        CONSTRAINT fk_test_runs_test_set_id FOREIGN KEY (test_set_id) REFERENCES test_sets(id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE test_results (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        run_id uuid NOT NULL,
        position integer NOT NULL,
        has_passed boolean NOT NULL DEFAULT false,
        faults text[] NOT NULL DEFAULT '{}',
        answer text NOT NULL,
        sources jsonb NOT NULL,
        model text,
        latency_ms integer NOT NULL,
        cost_usd numeric(16,8),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        key_id uuid,
        CONSTRAINT pk_test_results PRIMARY KEY (id),
        CONSTRAINT fk_test_results_run_id FOREIGN KEY (run_id) REFERENCES test_runs(id) ON DELETE CASCADE
      )`);
    for (const [name, place] of [
      ['ix_test_sets_bot', 'test_sets (bot_id, created_at, id)'],
      ['ix_test_runs_test_set', 'test_runs (test_set_id, created_at, id)'],
    ])
      await runner.query(`CREATE INDEX ${name} ON ${place}`);
    await runner.query('CREATE UNIQUE INDEX uq_test_results_run_position ON test_results (run_id, position)');
    // Create the indexes for counting a workspace's unfinished test runs and for converting all its rows.
    for (const table of ['test_sets', 'test_runs'])
      await runner.query(`CREATE INDEX ix_${table}_org_id ON ${table} (org_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['test_results', 'test_runs', 'test_sets']) await runner.query(`DROP TABLE ${table}`);
  }
}
