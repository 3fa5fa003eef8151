import type { FeatureSchema } from './feature-schema.ts';

export const FLOWS: FeatureSchema = {
  tables: `
CREATE TABLE flow_revisions (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  flow_id uuid NOT NULL,
  revision integer NOT NULL,
  graph jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_flow_revisions PRIMARY KEY (id)
);
CREATE INDEX ix_flow_revisions_org_id ON flow_revisions (org_id);
CREATE UNIQUE INDEX uq_flow_revisions_flow_revision ON flow_revisions (flow_id, revision);

CREATE TABLE flow_sessions (
  conversation_id uuid NOT NULL,
  org_id uuid NOT NULL,
  flow_id uuid NOT NULL,
  revision integer NOT NULL,
  status text NOT NULL,
  node_id text NOT NULL,
  awaiting jsonb,
  sealed_state text,
  steps integer NOT NULL,
  wait_id uuid,
  failure text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  key_id uuid,
  CONSTRAINT pk_flow_sessions PRIMARY KEY (conversation_id)
);
CREATE INDEX ix_flow_sessions_flow ON flow_sessions (flow_id, revision);

CREATE TABLE flows (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  trigger text,
  trigger_key text,
  is_active boolean NOT NULL DEFAULT false,
  revision integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  activated_at timestamptz(3),
  CONSTRAINT pk_flows PRIMARY KEY (id)
);
CREATE INDEX ix_flows_bot_id ON flows (bot_id);
CREATE INDEX ix_flows_org_created ON flows (org_id, created_at, id);
CREATE UNIQUE INDEX uq_flows_active_trigger ON flows (bot_id, trigger_key) WHERE is_active;
`,

  references: `
ALTER TABLE flow_revisions
  ADD CONSTRAINT fk_flow_revisions_flow_id FOREIGN KEY (flow_id) REFERENCES flows(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_flow_revisions_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE flow_sessions
  ADD CONSTRAINT fk_flow_sessions_conversation_id FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_flow_sessions_flow_id FOREIGN KEY (flow_id) REFERENCES flows(id) ON DELETE CASCADE;

ALTER TABLE flows
  ADD CONSTRAINT fk_flows_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_flows_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;
`,
};
