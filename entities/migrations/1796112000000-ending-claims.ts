import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replaces the database function `claim_idempotency_key`. When a transaction ends, PostgreSQL releases its
 * locks one after another. A repeated request could get the first lock while the first request still held the
 * second, and was refused as a different request. The function now waits for the second lock, for 50 ms at
 * most.
 */
export class EndingClaims1796112000000 implements MigrationInterface {
  readonly name = 'EndingClaims1796112000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      createFunction(`
        ELSIF NOT pg_try_advisory_xact_lock(hashtextextended(key_name, 0)) THEN
          BEGIN
            PERFORM set_config('lock_timeout', '50ms', true);
            PERFORM pg_advisory_xact_lock(hashtextextended(key_name, 0));
            PERFORM set_config('lock_timeout', timeout_before, true);
          EXCEPTION WHEN lock_not_available THEN
            RAISE EXCEPTION USING ERRCODE = 'IK002', MESSAGE = 'Another request holds this Idempotency-Key.';
          END;
        END IF;
        IF`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      createFunction(`
        ELSIF NOT pg_try_advisory_xact_lock(hashtextextended(key_name, 0)) THEN
          RAISE EXCEPTION USING ERRCODE = 'IK002', MESSAGE = 'Another request holds this Idempotency-Key.';
        ELSIF`),
    );
  }
}

/** @param claimKeyName SQL statements between the first lock and the search for a stored response */
const createFunction = (claimKeyName: string): string => String.raw`
  CREATE OR REPLACE FUNCTION claim_idempotency_key(asked_principal text, asked_key text, asked_fingerprint text, longest_wait_seconds integer)
    RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        key_name text := asked_principal || E'\n' || asked_key;
        timeout_before text := current_setting('lock_timeout');
      BEGIN
        IF NOT pg_try_advisory_xact_lock(hashtextextended(key_name || E'\n' || asked_fingerprint, 0)) THEN
          RAISE EXCEPTION USING ERRCODE = 'IK001', MESSAGE = 'The same request holds this Idempotency-Key.';
        ${claimKeyName} EXISTS (
          SELECT FROM idempotency_keys
          WHERE principal = asked_principal AND key = asked_key AND expires_at > now()
            AND (is_final OR status > 0 OR created_at > now() - make_interval(secs => longest_wait_seconds))
        ) THEN
          RAISE EXCEPTION USING ERRCODE = 'IK003', MESSAGE = 'This Idempotency-Key has its answer.';
        END IF;
      END $$`;
