import type { FeatureSchema } from './feature-schema.ts';

export const BOOKINGS: FeatureSchema = {
  tables: `
-- The exclusion constraint holds the slot: of two bookings that overlap, the second one is not inserted.
CREATE TABLE bookings (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid,
  conversation_id uuid,
  contact_id uuid,
  booked_by uuid,
  status text NOT NULL DEFAULT 'confirmed',
  source text NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  blocked_until timestamptz(3) NOT NULL,
  exclusive boolean NOT NULL DEFAULT true,
  sequence integer NOT NULL DEFAULT 0,
  timezone text NOT NULL,
  attendee_timezone text,
  language text,
  summary text NOT NULL,
  description text,
  attendee_name text,
  attendee_email text,
  connection_id uuid,
  calendar_id text,
  event_id text,
  event_version text,
  calendar_status text NOT NULL DEFAULT 'none',
  calendar_error text,
  conflict boolean NOT NULL DEFAULT false,
  cancelled_at timestamptz(3),
  cancelled_by text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  invited_sequence integer,
  invited_at timestamptz(3),
  reminded_sequence integer,
  announced_sequence integer,
  conflict_sequence integer,
  follow_due_at timestamptz(3) DEFAULT now(),
  key_id uuid,
  CONSTRAINT ck_bookings_times CHECK (starts_at < ends_at AND ends_at <= blocked_until),
  CONSTRAINT pk_bookings PRIMARY KEY (id),
  CONSTRAINT ex_bookings_slot
    EXCLUDE USING gist (org_id WITH =, tstzrange(starts_at, blocked_until) WITH &&) WHERE (((status = 'confirmed') AND exclusive))
);
CREATE INDEX ix_bookings_attendee ON bookings (org_id, lower(attendee_email), starts_at)
  WHERE status = 'confirmed' AND key_id IS NULL;
CREATE INDEX ix_bookings_blocking ON bookings (org_id, blocked_until, starts_at) WHERE status = 'confirmed';
CREATE INDEX ix_bookings_booked_by ON bookings (booked_by);
CREATE INDEX ix_bookings_bot_id ON bookings (bot_id);
CREATE INDEX ix_bookings_connection_id ON bookings (connection_id);
CREATE INDEX ix_bookings_contact_id ON bookings (contact_id);
CREATE INDEX ix_bookings_conversation_id ON bookings (conversation_id);
CREATE INDEX ix_bookings_follow_due ON bookings (follow_due_at) WHERE follow_due_at IS NOT NULL;
CREATE INDEX ix_bookings_org_created ON bookings (org_id, created_at, id);
CREATE INDEX ix_bookings_org_start ON bookings (org_id, starts_at, id);
CREATE INDEX ix_bookings_sealed ON bookings (org_id, starts_at) WHERE status = 'confirmed' AND key_id IS NOT NULL;

CREATE TABLE calendar_attempts (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  user_id uuid,
  provider text NOT NULL,
  state_digest text NOT NULL,
  browser_digest text,
  sealed_verifier text,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  key_id uuid,
  CONSTRAINT pk_calendar_attempts PRIMARY KEY (id)
);
CREATE INDEX ix_calendar_attempts_expires ON calendar_attempts (expires_at);
CREATE INDEX ix_calendar_attempts_org_id ON calendar_attempts (org_id);
CREATE INDEX ix_calendar_attempts_user_id ON calendar_attempts (user_id);
CREATE UNIQUE INDEX uq_calendar_attempts_state ON calendar_attempts (state_digest);

CREATE TABLE calendar_busy (
  connection_id uuid NOT NULL,
  calendar_id text NOT NULL,
  org_id uuid NOT NULL,
  busy integer[] NOT NULL DEFAULT '{}'::integer[],
  covers_from timestamptz(3) NOT NULL,
  covers_until timestamptz(3) NOT NULL,
  synced_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_calendar_busy PRIMARY KEY (connection_id, calendar_id)
);

CREATE TABLE calendar_connections (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  provider text NOT NULL,
  account_email text,
  sealed_credentials text,
  settings jsonb NOT NULL DEFAULT '{}',
  provider_timezone text,
  primary_calendar_id text,
  health text NOT NULL DEFAULT 'healthy',
  last_error text,
  last_synced_at timestamptz(3),
  connected_at timestamptz(3) NOT NULL DEFAULT now(),
  connected_by uuid,
  refresh_lease_until timestamptz(3),
  sync_due_at timestamptz(3),
  used_at timestamptz(3),
  hidden_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  failure_told_at timestamptz(3),
  CONSTRAINT pk_calendar_connections PRIMARY KEY (id)
);
CREATE INDEX ix_calendar_connections_connected_by ON calendar_connections (connected_by);
CREATE INDEX ix_calendar_connections_due ON calendar_connections (sync_due_at)
  WHERE hidden_at IS NULL AND sync_due_at IS NOT NULL;
CREATE INDEX ix_calendar_connections_hidden ON calendar_connections (hidden_at) WHERE hidden_at IS NOT NULL;
CREATE INDEX ix_calendar_connections_org_id ON calendar_connections (org_id);
CREATE UNIQUE INDEX uq_calendar_connections_org ON calendar_connections (org_id) WHERE hidden_at IS NULL;
`,

  references: `
ALTER TABLE bookings
  ADD CONSTRAINT fk_bookings_booked_by FOREIGN KEY (booked_by) REFERENCES users(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_bookings_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_bookings_connection_id FOREIGN KEY (connection_id) REFERENCES calendar_connections(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_bookings_contact_id FOREIGN KEY (contact_id) REFERENCES contacts(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_bookings_conversation_id FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_bookings_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE calendar_attempts
  ADD CONSTRAINT fk_calendar_attempts_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_calendar_attempts_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE calendar_busy
  ADD CONSTRAINT fk_calendar_busy_connection_id FOREIGN KEY (connection_id) REFERENCES calendar_connections(id) ON DELETE CASCADE;

ALTER TABLE calendar_connections
  ADD CONSTRAINT fk_calendar_connections_connected_by FOREIGN KEY (connected_by) REFERENCES users(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_calendar_connections_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;
`,
};
