import type { FeatureSchema } from './feature-schema.ts';

export const OUTBOX: FeatureSchema = {
  tables: `
CREATE TABLE outbox (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid,
  kind text NOT NULL,
  name text NOT NULL,
  payload jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  traceparent text,
  key_id uuid,
  CONSTRAINT pk_outbox PRIMARY KEY (id)
);
CREATE INDEX ix_outbox_due ON outbox (kind, org_id, due_at, id);
`,
};
