import type { FeatureSchema } from './feature-schema.ts';

export const MAIL: FeatureSchema = {
  tables: `
CREATE TABLE access_notices (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  actor text NOT NULL,
  kind text NOT NULL,
  reader_ids uuid[] NOT NULL,
  content text,
  told_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_access_notices PRIMARY KEY (id)
);
CREATE INDEX ix_access_notices_org ON access_notices (org_id, actor, kind);
CREATE INDEX ix_access_notices_told ON access_notices (told_at) WHERE told_at IS NOT NULL;
CREATE INDEX ix_access_notices_waiting ON access_notices (created_at) WHERE told_at IS NULL;

CREATE TABLE announced_readers (
  user_id uuid NOT NULL,
  announcement text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_announced_readers PRIMARY KEY (user_id, announcement)
);

CREATE TABLE content_notices (
  bot_id uuid NOT NULL,
  told_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_content_notices PRIMARY KEY (bot_id)
);

CREATE TABLE email_preferences (
  user_id uuid NOT NULL,
  turned_off text[] NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_email_preferences PRIMARY KEY (user_id)
);

-- Mails wait in a table because links and codes must not show in the history of a workflow.
CREATE TABLE mails (
  id uuid NOT NULL,
  org_id uuid,
  user_id uuid,
  template text NOT NULL,
  key text,
  content text,
  state text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  reason text,
  finished_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  key_id uuid,
  CONSTRAINT pk_mails PRIMARY KEY (id)
);
CREATE INDEX ix_mails_org ON mails (org_id, created_at, id) WHERE org_id IS NOT NULL;
CREATE UNIQUE INDEX uq_mails_key ON mails (key) WHERE key IS NOT NULL;

CREATE TABLE refused_addresses (
  address text NOT NULL,
  reason text NOT NULL,
  refused_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_refused_addresses PRIMARY KEY (address)
);
CREATE INDEX ix_refused_addresses_refused_at ON refused_addresses (refused_at);

CREATE TABLE weekly_mails (
  user_id uuid NOT NULL,
  week date NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_weekly_mails PRIMARY KEY (user_id, week)
);
`,

  references: `
ALTER TABLE access_notices
  ADD CONSTRAINT fk_access_notices_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE announced_readers
  ADD CONSTRAINT fk_announced_readers_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE content_notices
  ADD CONSTRAINT fk_content_notices_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

ALTER TABLE email_preferences
  ADD CONSTRAINT fk_email_preferences_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE weekly_mails
  ADD CONSTRAINT fk_weekly_mails_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
`,
};
