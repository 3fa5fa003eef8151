import type { FeatureSchema } from './feature-schema.ts';

export const BILLING: FeatureSchema = {
  tables: `
CREATE TABLE billing_accounts (
  org_id uuid NOT NULL,
  override_tier text,
  paid_tier text NOT NULL DEFAULT 'free',
  credits_left integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  customer_id text,
  customer_attempts integer NOT NULL DEFAULT 0,
  subscription_id text,
  price_id text,
  status text NOT NULL DEFAULT 'none',
  period_start timestamptz(3),
  period_end timestamptz(3),
  ends_at timestamptz(3),
  other_subscriptions jsonb NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 0,
  synced_at timestamptz(3),
  profile jsonb NOT NULL DEFAULT '{}',
  profile_saved_at timestamptz(3),
  profile_version integer NOT NULL DEFAULT 0,
  pushed_profile_version integer NOT NULL DEFAULT 0,
  tax_id_status text NOT NULL DEFAULT 'none',
  CONSTRAINT pk_billing_accounts PRIMARY KEY (org_id)
);
CREATE INDEX ix_billing_accounts_synced_at ON billing_accounts (synced_at);
CREATE UNIQUE INDEX uq_billing_accounts_customer ON billing_accounts (customer_id);

CREATE TABLE billing_events (
  id text NOT NULL,
  org_id uuid,
  type text NOT NULL,
  customer_id text,
  session_id text,
  checkout_id uuid,
  outcome text NOT NULL,
  matched_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_billing_events PRIMARY KEY (id)
);
CREATE INDEX ix_billing_events_created_at ON billing_events (created_at);
CREATE INDEX ix_billing_events_org_id ON billing_events (org_id);
CREATE INDEX ix_billing_events_unmatched ON billing_events (created_at) WHERE outcome = 'unmatched';

CREATE TABLE checkouts (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  product text NOT NULL,
  quantity integer NOT NULL,
  kind text NOT NULL,
  state text NOT NULL DEFAULT 'preparing',
  session_id text,
  payment_id text,
  url text,
  expires_at timestamptz(3) NOT NULL,
  refunded_messages integer NOT NULL DEFAULT 0,
  created_by_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_checkouts PRIMARY KEY (id)
);
CREATE INDEX ix_checkouts_org_id ON checkouts (org_id, created_at);
CREATE INDEX ix_checkouts_unfinished ON checkouts (expires_at) WHERE state IN ('preparing', 'open', 'paying');
CREATE INDEX ix_checkouts_unpaid ON checkouts (expires_at) WHERE state IN ('expired', 'failed');
CREATE UNIQUE INDEX uq_checkouts_payment ON checkouts (payment_id);
CREATE UNIQUE INDEX uq_checkouts_plan ON checkouts (org_id)
  WHERE product <> 'topup' AND state IN ('preparing', 'open');
CREATE UNIQUE INDEX uq_checkouts_session ON checkouts (session_id);

CREATE TABLE credit_entries (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  provider_ref text NOT NULL,
  messages integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_credit_entries PRIMARY KEY (id)
);
CREATE INDEX ix_credit_entries_checkout_id ON credit_entries (checkout_id);
CREATE INDEX ix_credit_entries_org_id ON credit_entries (org_id);
CREATE UNIQUE INDEX uq_credit_entries_provider_ref ON credit_entries (provider_ref);

CREATE TABLE receipts (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  invoice_id text NOT NULL,
  number text NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  amount_cents integer NOT NULL,
  tax_cents integer NOT NULL,
  currency text NOT NULL,
  status text NOT NULL,
  description text NOT NULL,
  addressee jsonb NOT NULL,
  sha256 text,
  stored_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_receipts PRIMARY KEY (id)
);
CREATE INDEX ix_receipts_org_id ON receipts (org_id, issued_at, id);
CREATE INDEX ix_receipts_without_file ON receipts (created_at) WHERE stored_at IS NULL;
CREATE UNIQUE INDEX uq_receipts_invoice ON receipts (invoice_id);
`,

  references: `
ALTER TABLE billing_accounts
  ADD CONSTRAINT fk_billing_accounts_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE billing_events
  ADD CONSTRAINT fk_billing_events_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE checkouts
  ADD CONSTRAINT fk_checkouts_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE credit_entries
  ADD CONSTRAINT fk_credit_entries_checkout_id FOREIGN KEY (checkout_id) REFERENCES checkouts(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_credit_entries_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE receipts
  ADD CONSTRAINT fk_receipts_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;
`,
};
