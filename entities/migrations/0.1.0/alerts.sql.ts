import type { FeatureSchema } from './feature-schema.ts';

export const ALERTS: FeatureSchema = {
  tables: `
CREATE TABLE alert_attempts (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  channel text NOT NULL,
  code_digest text NOT NULL,
  destination text,
  name text,
  connected_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  user_id uuid,
  key_id uuid,
  CONSTRAINT pk_alert_attempts PRIMARY KEY (id)
);
CREATE INDEX ix_alert_attempts_expires ON alert_attempts (expires_at);
CREATE INDEX ix_alert_attempts_org_id ON alert_attempts (org_id);
CREATE UNIQUE INDEX uq_alert_attempts_code ON alert_attempts (code_digest);

CREATE TABLE alert_days (
  policy_id uuid NOT NULL,
  date date NOT NULL,
  org_id uuid NOT NULL,
  sent integer NOT NULL DEFAULT 0,
  held integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_alert_days PRIMARY KEY (policy_id, date)
);
CREATE INDEX ix_alert_days_date ON alert_days (date);
CREATE INDEX ix_alert_days_org_id ON alert_days (org_id);

CREATE TABLE alert_destinations (
  org_id uuid NOT NULL,
  channel text NOT NULL,
  destination text NOT NULL,
  name text,
  verified_at timestamptz(3),
  verified_by text,
  consent text,
  last_inbound_at timestamptz(3),
  blocked_at timestamptz(3),
  blocked_reason text,
  undeliverable integer NOT NULL DEFAULT 0,
  code_digest text,
  code_expires_at timestamptz(3),
  code_tries integer NOT NULL DEFAULT 0,
  next_code_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  next_at timestamptz(3),
  CONSTRAINT pk_alert_destinations PRIMARY KEY (org_id, channel, destination)
);
CREATE INDEX ix_alert_destinations_place ON alert_destinations (channel, destination);

CREATE TABLE alert_digests (
  policy_id uuid NOT NULL,
  date date NOT NULL,
  org_id uuid NOT NULL,
  is_digest boolean NOT NULL DEFAULT false,
  due_at timestamptz(3) NOT NULL,
  state text NOT NULL DEFAULT 'due',
  reason text,
  begins_at timestamptz(3),
  ends_at timestamptz(3),
  counts jsonb NOT NULL DEFAULT '{}',
  seen jsonb NOT NULL DEFAULT '{}',
  waiting integer NOT NULL DEFAULT 0,
  bookings integer NOT NULL DEFAULT 0,
  held integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_alert_digests PRIMARY KEY (policy_id, date)
);

CREATE TABLE alert_inbound (
  id text NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_alert_inbound PRIMARY KEY (id)
);
CREATE INDEX ix_alert_inbound_received ON alert_inbound (received_at);

CREATE TABLE alert_messages (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  channel text NOT NULL,
  destination text NOT NULL,
  kind text NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  key text,
  content text,
  attempts integer NOT NULL DEFAULT 0,
  started_at timestamptz(3),
  reason text,
  provider_id text,
  counted_on date,
  expires_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  key_id uuid,
  CONSTRAINT pk_alert_messages PRIMARY KEY (id)
);
CREATE INDEX ix_alert_messages_created ON alert_messages (created_at);
CREATE INDEX ix_alert_messages_kept ON alert_messages (created_at, id) WHERE state = 'kept';
CREATE INDEX ix_alert_messages_open ON alert_messages (policy_id, created_at) WHERE state IN ('pending', 'sending');
CREATE INDEX ix_alert_messages_org_id ON alert_messages (org_id, created_at, id);
CREATE INDEX ix_alert_messages_provider ON alert_messages (provider_id) WHERE provider_id IS NOT NULL;
CREATE UNIQUE INDEX uq_alert_messages_key ON alert_messages (key) WHERE key IS NOT NULL;

CREATE TABLE alert_policies (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid,
  channel text NOT NULL,
  destination text NOT NULL,
  label text NOT NULL DEFAULT '',
  intensity text NOT NULL,
  events text[],
  digest text NOT NULL,
  digest_hour integer NOT NULL,
  digest_weekday integer NOT NULL,
  daily_cap integer,
  timezone text NOT NULL,
  next_digest_at timestamptz(3),
  digested_at timestamptz(3),
  summary_due_at timestamptz(3),
  woken_at timestamptz(3),
  alerted_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_alert_policies PRIMARY KEY (id)
);
CREATE INDEX ix_alert_policies_bot_id ON alert_policies (bot_id);
CREATE INDEX ix_alert_policies_next_digest ON alert_policies (next_digest_at) WHERE next_digest_at IS NOT NULL;
CREATE INDEX ix_alert_policies_summary_due ON alert_policies (summary_due_at) WHERE summary_due_at IS NOT NULL;
CREATE INDEX ix_alert_policies_woken ON alert_policies (woken_at) WHERE woken_at IS NOT NULL;
CREATE UNIQUE INDEX uq_alert_policies_destination ON alert_policies
  (org_id, bot_id, channel, destination) NULLS NOT DISTINCT;

CREATE TABLE alert_providers (
  channel text NOT NULL,
  account text NOT NULL,
  cursor bigint NOT NULL DEFAULT '0',
  next_at timestamptz(3),
  fault text,
  cursor_at timestamptz(3),
  CONSTRAINT pk_alert_providers PRIMARY KEY (channel, account)
);

CREATE TABLE alerts (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  event_id uuid NOT NULL,
  bot_id uuid,
  name text NOT NULL,
  ids jsonb NOT NULL,
  severity text NOT NULL,
  subject text NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  reason text,
  message_id uuid,
  occurred_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_alerts PRIMARY KEY (id)
);
CREATE INDEX ix_alerts_created ON alerts (created_at);
CREATE INDEX ix_alerts_message_id ON alerts (message_id);
CREATE INDEX ix_alerts_open ON alerts (policy_id, state, occurred_at) WHERE state IN ('pending', 'held');
CREATE INDEX ix_alerts_org_bot ON alerts (org_id, bot_id);
CREATE INDEX ix_alerts_subject ON alerts (policy_id, subject, occurred_at);
CREATE UNIQUE INDEX uq_alerts_policy_event ON alerts (policy_id, event_id);

CREATE TABLE event_counts (
  hour timestamptz(3) NOT NULL,
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  bot_id uuid,
  name text NOT NULL,
  count integer NOT NULL,
  CONSTRAINT pk_event_counts PRIMARY KEY (hour, org_id, id)
);
`,

  references: `
ALTER TABLE alert_attempts
  ADD CONSTRAINT fk_alert_attempts_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE alert_days
  ADD CONSTRAINT fk_alert_days_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE alert_destinations
  ADD CONSTRAINT fk_alert_destinations_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE alert_digests
  ADD CONSTRAINT fk_alert_digests_policy_id FOREIGN KEY (policy_id) REFERENCES alert_policies(id) ON DELETE CASCADE;

ALTER TABLE alert_messages
  ADD CONSTRAINT fk_alert_messages_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE alert_policies
  ADD CONSTRAINT fk_alert_policies_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_alert_policies_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE alerts
  ADD CONSTRAINT fk_alerts_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;
`,

  functions: `
-- Counts a message of a messaging app once, when it is handed over. Tests and codes are free.
CREATE FUNCTION note_sent_alert() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO usage_changes (payer_id, day, id, org_id, alerts)
        SELECT payer_id, (now() AT TIME ZONE 'UTC')::date, gen_random_uuid(), id, 1 FROM orgs WHERE id = NEW.org_id;
        RETURN NULL;
      END $$;
CREATE TRIGGER note_sent_alert AFTER UPDATE OF state ON alert_messages
  FOR EACH ROW WHEN (
    OLD.state IN ('pending', 'sending')
    AND NEW.state IN ('accepted', 'delivered', 'read', 'kept')
    AND OLD.provider_id IS NULL
    AND NEW.counted_on IS NOT NULL
  )
  EXECUTE FUNCTION note_sent_alert();
`,
};
