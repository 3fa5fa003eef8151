import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Takes an Idempotency-Key until the transaction ends, or fails the transaction, so that statements which were sent
 * after it do nothing. Whoever fails at the first lock asks what is asked already; at the second, something else. In a
 * volatile function the look sees what was committed before the locks were had.
 */
export class ClaimIdempotencyKey1790000070000 implements MigrationInterface {
  name = 'ClaimIdempotencyKey1790000070000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION claim_idempotency_key(
        asked_principal text, asked_key text, asked_fingerprint text, longest_wait_seconds integer
      ) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
      DECLARE place text := asked_principal || E'\\n' || asked_key;
      BEGIN
        IF NOT pg_try_advisory_xact_lock(hashtextextended(place || E'\\n' || asked_fingerprint, 0)) THEN
          RAISE EXCEPTION USING ERRCODE = 'IK001', MESSAGE = 'The same request holds this Idempotency-Key.';
        ELSIF NOT pg_try_advisory_xact_lock(hashtextextended(place, 0)) THEN
          RAISE EXCEPTION USING ERRCODE = 'IK002', MESSAGE = 'Another request holds this Idempotency-Key.';
        ELSIF EXISTS (
          SELECT FROM idempotency_keys
          WHERE principal = asked_principal AND key = asked_key AND expires_at > now()
            AND (is_final OR status > 0 OR created_at > now() - make_interval(secs => longest_wait_seconds))
        ) THEN
          RAISE EXCEPTION USING ERRCODE = 'IK003', MESSAGE = 'This Idempotency-Key has its answer.';
        END IF;
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION claim_idempotency_key(text, text, text, integer)');
  }
}
