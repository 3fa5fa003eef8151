import type { FeatureSchema } from './feature-schema.ts';

export const BOTS: FeatureSchema = {
  tables: `
CREATE TABLE avatars (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  mime_type text NOT NULL,
  size_bytes integer NOT NULL,
  storage_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_avatars PRIMARY KEY (id)
);
CREATE INDEX ix_avatars_bot_id ON avatars (bot_id);
CREATE INDEX ix_avatars_org_id ON avatars (org_id);

CREATE TABLE bot_generations (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  input jsonb NOT NULL,
  state text NOT NULL DEFAULT 'queued',
  site jsonb,
  is_site_refused boolean NOT NULL DEFAULT false,
  icon bytea,
  blueprint jsonb,
  generated_by text,
  failure text,
  notes text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  key_id uuid,
  CONSTRAINT pk_bot_generations PRIMARY KEY (id)
);
CREATE INDEX ix_bot_generations_expires_at ON bot_generations (expires_at);
CREATE INDEX ix_bot_generations_org_id ON bot_generations (org_id);

CREATE TABLE bot_versions (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  version integer NOT NULL,
  note text,
  format integer NOT NULL,
  snapshot jsonb NOT NULL,
  avatar_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  author_id uuid,
  CONSTRAINT pk_bot_versions PRIMARY KEY (id)
);
CREATE INDEX ix_bot_versions_author_id ON bot_versions (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX ix_bot_versions_avatar ON bot_versions (bot_id, avatar_id) WHERE avatar_id IS NOT NULL;
CREATE INDEX ix_bot_versions_org_id ON bot_versions (org_id);
CREATE UNIQUE INDEX uq_bot_versions_bot_version ON bot_versions (bot_id, version);

CREATE TABLE bots (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  status text NOT NULL DEFAULT 'draft',
  public_key text NOT NULL,
  llm_provider text NOT NULL,
  model text,
  sealed_api_key text,
  custom_endpoint_config jsonb,
  sealed_auth_header_value text,
  system_prompt text NOT NULL DEFAULT '',
  temperature double precision NOT NULL,
  max_tokens integer NOT NULL,
  thinking_enabled boolean NOT NULL DEFAULT false,
  thinking_budget_tokens integer NOT NULL,
  welcome_message text,
  starter_questions text[] NOT NULL DEFAULT '{}',
  fallback_message text,
  strict_kb_mode boolean NOT NULL DEFAULT false,
  language text NOT NULL DEFAULT 'auto',
  lead_capture_config jsonb,
  contact_fields_config jsonb NOT NULL DEFAULT '[]',
  directory_config jsonb,
  widget_theme jsonb NOT NULL DEFAULT '{}',
  allowed_domains text[],
  is_public boolean NOT NULL DEFAULT true,
  rate_limit_per_minute integer NOT NULL,
  monthly_message_cap integer,
  handoff_enabled boolean NOT NULL DEFAULT false,
  handoff_config jsonb,
  last_error text,
  total_conversations integer NOT NULL DEFAULT 0,
  total_messages integer NOT NULL DEFAULT 0,
  indexed_chunk_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  identity_secret_version integer NOT NULL DEFAULT 0,
  former_identity_secret_until timestamptz(3),
  active_flow_count integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_bots PRIMARY KEY (id)
);
CREATE INDEX ix_bots_capped ON bots (id) WHERE monthly_message_cap > 0 AND deleted_at IS NULL;
CREATE INDEX ix_bots_org_created ON bots (org_id, created_at, id);
CREATE UNIQUE INDEX uq_bots_public_key ON bots (public_key);

CREATE TABLE monthly_usage (
  bot_id uuid NOT NULL,
  month date NOT NULL,
  org_id uuid NOT NULL,
  messages integer NOT NULL DEFAULT 0,
  told_percent integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_monthly_usage PRIMARY KEY (bot_id, month)
);
CREATE INDEX ix_monthly_usage_told ON monthly_usage (month) WHERE told_percent > 0;
`,

  references: `
ALTER TABLE avatars
  ADD CONSTRAINT fk_avatars_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_avatars_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE bot_generations
  ADD CONSTRAINT fk_bot_generations_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE bot_versions
  ADD CONSTRAINT fk_bot_versions_author_id FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_bot_versions_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_bot_versions_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE bots
  ADD CONSTRAINT fk_bots_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE monthly_usage
  ADD CONSTRAINT fk_monthly_usage_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;
`,

  functions: `
-- Closes the open streams of a bot that is switched off.
CREATE FUNCTION notify_bot_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parley_conversations', NEW.id::text);
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_bots_change AFTER UPDATE OF status, is_public, deleted_at ON bots
  FOR EACH ROW WHEN (
    OLD.status <> NEW.status
    OR OLD.is_public <> NEW.is_public
    OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at
  )
  EXECUTE FUNCTION notify_bot_change();
`,
};
