import type { FeatureSchema } from './feature-schema.ts';

export const USAGE: FeatureSchema = {
  tables: `
CREATE TABLE plan_months (
  payer_id uuid NOT NULL,
  month date NOT NULL,
  messages integer NOT NULL DEFAULT 0,
  paid_messages integer NOT NULL DEFAULT 0,
  recount_at timestamptz(3),
  CONSTRAINT pk_plan_months PRIMARY KEY (payer_id, month)
);
CREATE INDEX ix_plan_months_month ON plan_months (month);

CREATE TABLE plan_notices (
  payer_id uuid NOT NULL,
  month date NOT NULL,
  message_limit integer NOT NULL,
  percent integer NOT NULL,
  CONSTRAINT pk_plan_notices PRIMARY KEY (payer_id, month, message_limit, percent)
);

CREATE TABLE usage_changes (
  payer_id uuid NOT NULL,
  day date NOT NULL,
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid,
  model text,
  messages integer NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT '0',
  output_tokens bigint NOT NULL DEFAULT '0',
  cost_usd numeric(20,8) NOT NULL DEFAULT '0',
  alerts integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_usage_changes PRIMARY KEY (payer_id, day, id)
);

CREATE TABLE usage_days (
  id uuid NOT NULL,
  payer_id uuid NOT NULL,
  org_id uuid NOT NULL,
  day date NOT NULL,
  bot_id uuid,
  model text,
  messages integer NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT '0',
  output_tokens bigint NOT NULL DEFAULT '0',
  cost_usd numeric(20,8) NOT NULL DEFAULT '0',
  alerts integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_usage_days PRIMARY KEY (id)
);
CREATE INDEX ix_usage_days_payer ON usage_days (payer_id, day);
CREATE UNIQUE INDEX uq_usage_days ON usage_days (org_id, day, bot_id, model) NULLS NOT DISTINCT;

CREATE TABLE usage_totals (
  id uuid NOT NULL,
  payer_id uuid NOT NULL,
  org_id uuid NOT NULL,
  day date NOT NULL,
  model text,
  messages integer NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT '0',
  output_tokens bigint NOT NULL DEFAULT '0',
  cost_usd numeric(20,8) NOT NULL DEFAULT '0',
  alerts integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_usage_totals PRIMARY KEY (id)
);
CREATE INDEX ix_usage_totals_payer ON usage_totals (payer_id, day);
CREATE UNIQUE INDEX uq_usage_totals ON usage_totals (org_id, day, model) NULLS NOT DISTINCT;
`,

  references: `
ALTER TABLE plan_months
  ADD CONSTRAINT fk_plan_months_payer_id FOREIGN KEY (payer_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE plan_notices
  ADD CONSTRAINT fk_plan_notices_payer_id FOREIGN KEY (payer_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE usage_days
  ADD CONSTRAINT fk_usage_days_payer_id FOREIGN KEY (payer_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE usage_totals
  ADD CONSTRAINT fk_usage_totals_payer_id FOREIGN KEY (payer_id) REFERENCES orgs(id) ON DELETE CASCADE;
`,
};
