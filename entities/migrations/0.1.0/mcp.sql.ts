import type { FeatureSchema } from './feature-schema.ts';

export const MCP: FeatureSchema = {
  tables: `
CREATE TABLE tool_invocations (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  tool text NOT NULL,
  outcome text NOT NULL,
  error_code text,
  arguments jsonb NOT NULL DEFAULT '{}',
  key_id uuid,
  duration_ms integer NOT NULL,
  client text,
  request_id text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_tool_invocations PRIMARY KEY (id)
);
CREATE INDEX ix_tool_invocations_org_created ON tool_invocations (org_id, created_at, id);
`,

  references: `
ALTER TABLE tool_invocations
  ADD CONSTRAINT fk_tool_invocations_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;
`,
};
