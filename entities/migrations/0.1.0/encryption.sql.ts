import type { FeatureSchema } from './feature-schema.ts';

export const ENCRYPTION: FeatureSchema = {
  tables: `
CREATE TABLE data_keys (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  workspace_key_id uuid NOT NULL,
  made_version integer NOT NULL,
  month date NOT NULL,
  wrapped_key text NOT NULL,
  commitment text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_data_keys PRIMARY KEY (id)
);
CREATE INDEX ix_data_keys_workspace_key ON data_keys (workspace_key_id);
CREATE UNIQUE INDEX uq_data_keys_month ON data_keys (org_id, made_version, month);

CREATE TABLE key_services (
  org_id uuid NOT NULL,
  config jsonb NOT NULL,
  sealed_credentials text NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_key_services PRIMARY KEY (org_id)
);

CREATE TABLE org_encryption (
  org_id uuid NOT NULL,
  mode text NOT NULL DEFAULT 'platform',
  key_version integer,
  sealed_since_version integer NOT NULL DEFAULT 0,
  switched_at timestamptz(3),
  is_sealing boolean NOT NULL DEFAULT false,
  cursor jsonb,
  resealed_rows integer NOT NULL DEFAULT 0,
  service_failure text,
  service_failed_at timestamptz(3),
  told_failure text,
  is_all_sealed boolean NOT NULL DEFAULT false,
  traces_since timestamptz(3),
  CONSTRAINT pk_org_encryption PRIMARY KEY (org_id)
);
CREATE INDEX ix_org_encryption_sealing ON org_encryption (org_id) WHERE is_sealing;

CREATE TABLE table_rewrites (
  name text NOT NULL,
  clean_since timestamptz(3) NOT NULL,
  seconds double precision NOT NULL,
  CONSTRAINT pk_table_rewrites PRIMARY KEY (name)
);

CREATE TABLE vacuum_probes (
  id uuid NOT NULL,
  CONSTRAINT pk_vacuum_probes PRIMARY KEY (id)
);

CREATE TABLE workspace_keys (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  version integer NOT NULL,
  root text NOT NULL,
  wrapped_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_workspace_keys PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_workspace_keys_version ON workspace_keys (org_id, version);
`,

  references: `
ALTER TABLE data_keys
  ADD CONSTRAINT fk_data_keys_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_data_keys_workspace_key_id FOREIGN KEY (workspace_key_id) REFERENCES workspace_keys(id) ON DELETE CASCADE;

ALTER TABLE key_services
  ADD CONSTRAINT fk_key_services_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE org_encryption
  ADD CONSTRAINT fk_org_encryption_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE workspace_keys
  ADD CONSTRAINT fk_workspace_keys_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;
`,
};
