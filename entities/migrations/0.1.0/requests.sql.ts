import type { FeatureSchema } from './feature-schema.ts';

export const REQUESTS: FeatureSchema = {
  tables: `
CREATE TABLE idempotency_keys (
  principal text NOT NULL COLLATE "C",
  key text NOT NULL COLLATE "C",
  fingerprint text NOT NULL,
  status integer NOT NULL,
  sealed_body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  is_final boolean NOT NULL DEFAULT true,
  key_id uuid,
  org_id uuid,
  id uuid,
  CONSTRAINT pk_idempotency_keys PRIMARY KEY (principal, key)
);
CREATE INDEX ix_idempotency_keys_expires_at ON idempotency_keys (expires_at);
CREATE INDEX ix_idempotency_keys_org ON idempotency_keys (org_id, created_at, id) WHERE org_id IS NOT NULL;
CREATE UNIQUE INDEX uq_idempotency_keys_id ON idempotency_keys (id) WHERE id IS NOT NULL;

-- Rows are updated in place all the time: free room on each page keeps those updates off the index.
CREATE UNLOGGED TABLE rate_windows (
  key text NOT NULL,
  used integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pk_rate_windows PRIMARY KEY (key)
) WITH (fillfactor='50');
`,

  functions: String.raw`
-- Claims an Idempotency-Key until the transaction ends, or fails the transaction and the statements sent after it.
-- A failed first lock means the same request is running; a failed second one, another request with the same key.
-- VOLATILE, so that its query sees what was committed before it had the locks.
CREATE FUNCTION claim_idempotency_key(asked_principal text, asked_key text, asked_fingerprint text, longest_wait_seconds integer)
  RETURNS void LANGUAGE plpgsql AS $$
      DECLARE place text := asked_principal || E'\n' || asked_key;
      BEGIN
        IF NOT pg_try_advisory_xact_lock(hashtextextended(place || E'\n' || asked_fingerprint, 0)) THEN
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
      END $$;
`,
};
