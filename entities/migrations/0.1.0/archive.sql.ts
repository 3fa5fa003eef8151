import type { FeatureSchema } from './feature-schema.ts';

export const ARCHIVE: FeatureSchema = {
  tables: `
CREATE TABLE archive_files (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  job_id uuid NOT NULL,
  part integer NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  records integer NOT NULL,
  conversations integer NOT NULL DEFAULT 0,
  bytes integer NOT NULL,
  stored_bytes integer NOT NULL,
  sha256 text NOT NULL,
  key_id uuid,
  CONSTRAINT pk_archive_files PRIMARY KEY (id)
);
CREATE INDEX ix_archive_files_job ON archive_files (job_id, part);

CREATE TABLE archive_jobs (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  kind text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  selection jsonb,
  step integer NOT NULL DEFAULT 0,
  "position" jsonb,
  expected integer NOT NULL DEFAULT 0,
  counts jsonb NOT NULL,
  parts integer NOT NULL DEFAULT 0,
  size_bytes bigint NOT NULL DEFAULT '0',
  error_message text,
  errors jsonb NOT NULL DEFAULT '[]',
  errors_total integer NOT NULL DEFAULT 0,
  has_files boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  key_id uuid,
  CONSTRAINT pk_archive_jobs PRIMARY KEY (id)
);
CREATE INDEX ix_archive_jobs_created ON archive_jobs (created_at);
CREATE INDEX ix_archive_jobs_files ON archive_jobs (created_at) WHERE has_files;
CREATE INDEX ix_archive_jobs_org ON archive_jobs (org_id, created_at, id);

CREATE TABLE archive_uploads (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  key_id uuid,
  CONSTRAINT pk_archive_uploads PRIMARY KEY (id)
);
CREATE INDEX ix_archive_uploads_created ON archive_uploads (created_at);
CREATE INDEX ix_archive_uploads_org ON archive_uploads (org_id, created_at);

CREATE TABLE erased_people (
  org_id uuid NOT NULL,
  digest text NOT NULL,
  erased_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_erased_people PRIMARY KEY (org_id, digest)
);
`,

  references: `
ALTER TABLE archive_files
  ADD CONSTRAINT fk_archive_files_job_id FOREIGN KEY (job_id) REFERENCES archive_jobs(id) ON DELETE CASCADE;

ALTER TABLE archive_jobs
  ADD CONSTRAINT fk_archive_jobs_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE archive_uploads
  ADD CONSTRAINT fk_archive_uploads_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE erased_people
  ADD CONSTRAINT fk_erased_people_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;
`,
};
