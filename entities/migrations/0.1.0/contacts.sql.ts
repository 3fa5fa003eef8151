import type { FeatureSchema } from './feature-schema.ts';

export const CONTACTS: FeatureSchema = {
  tables: String.raw`
CREATE TABLE contacts (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  visitor_id text NOT NULL,
  name text,
  email text,
  phone text,
  country text,
  custom_fields jsonb NOT NULL DEFAULT '{}',
  tags text[] NOT NULL DEFAULT '{}',
  is_lead boolean NOT NULL DEFAULT false,
  first_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  identity text,
  email_verified boolean NOT NULL DEFAULT false,
  deleted_at timestamptz(3),
  erased_ids uuid[] NOT NULL DEFAULT '{}'::uuid[],
  removed_fields text[] NOT NULL DEFAULT '{}',
  browser_id uuid NOT NULL,
  key_id uuid,
  CONSTRAINT pk_contacts PRIMARY KEY (id)
);
CREATE INDEX ix_contacts_bot_created ON contacts (bot_id, org_id, created_at, id);
CREATE INDEX ix_contacts_country ON contacts (org_id, country, created_at, id)
  WHERE country IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX ix_contacts_erased_ids ON contacts USING gin (erased_ids) WHERE erased_ids <> '{}'::uuid[];
CREATE INDEX ix_contacts_leads ON contacts (org_id, created_at, id) WHERE is_lead AND deleted_at IS NULL;
CREATE INDEX ix_contacts_org_created ON contacts (org_id, created_at, id);
CREATE INDEX ix_contacts_text ON contacts
  USING gin (org_id, name gin_trgm_ops, email gin_trgm_ops, phone gin_trgm_ops, regexp_replace(phone, '\(0\)|[^0-9]', '', 'g') gin_trgm_ops)
  WHERE key_id IS NULL;
CREATE INDEX ix_contacts_visitor_text ON contacts USING gin (org_id, visitor_id gin_trgm_ops, identity gin_trgm_ops);
CREATE UNIQUE INDEX uq_contacts_browser ON contacts (bot_id, browser_id)
  WHERE identity IS NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX uq_contacts_identity ON contacts (org_id, identity)
  WHERE identity IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE visitor_consents (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  contact_id uuid,
  consent text NOT NULL,
  said_at timestamptz(3) NOT NULL DEFAULT now(),
  browser_id uuid NOT NULL,
  CONSTRAINT pk_visitor_consents PRIMARY KEY (id)
);
CREATE INDEX ix_visitor_consents_browser ON visitor_consents (bot_id, browser_id, said_at, id);
CREATE INDEX ix_visitor_consents_contact ON visitor_consents (contact_id, said_at, id) WHERE contact_id IS NOT NULL;
`,

  references: `
ALTER TABLE contacts
  ADD CONSTRAINT fk_contacts_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_contacts_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE visitor_consents
  ADD CONSTRAINT fk_visitor_consents_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_visitor_consents_contact_id FOREIGN KEY (contact_id) REFERENCES contacts(id) ON DELETE CASCADE;
`,
};
