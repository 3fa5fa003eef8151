import type { FeatureSchema } from './feature-schema.ts';

export const WEBHOOKS: FeatureSchema = {
  tables: `
-- A delivery is written when it is made, leased and recorded: free room on its page keeps a lease off the indexes.
CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  replay_of_id uuid,
  event_id text NOT NULL,
  event text NOT NULL,
  payload json NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  reason text,
  response_status integer,
  response_body text,
  duration_ms integer,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  lease_expires_at timestamptz(3),
  delivered_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  traceparent text,
  is_on_demand boolean NOT NULL DEFAULT false,
  attempt_log jsonb,
  key_id uuid,
  CONSTRAINT pk_webhook_deliveries PRIMARY KEY (id)
) WITH (fillfactor='50');
CREATE INDEX ix_webhook_deliveries_event ON webhook_deliveries (org_id, event, created_at, id);
CREATE INDEX ix_webhook_deliveries_org_created ON webhook_deliveries (org_id, created_at, id);
CREATE INDEX ix_webhook_deliveries_pending ON webhook_deliveries (org_id, is_on_demand, webhook_id, due_at)
  WHERE status = 'pending';
CREATE INDEX ix_webhook_deliveries_replay_of_id ON webhook_deliveries (replay_of_id) WHERE replay_of_id IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_retrying ON webhook_deliveries (webhook_id, due_at) WHERE status = 'retrying';
CREATE INDEX ix_webhook_deliveries_undelivered ON webhook_deliveries (org_id, status, created_at, id)
  WHERE status IN ('retrying', 'failed');
CREATE INDEX ix_webhook_deliveries_webhook_created ON webhook_deliveries (webhook_id, org_id, created_at, id);
CREATE UNIQUE INDEX uq_webhook_deliveries_event ON webhook_deliveries (webhook_id, event_id) WHERE NOT is_on_demand;

CREATE TABLE webhooks (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid,
  url text NOT NULL,
  description text,
  events text[] NOT NULL,
  api_version text NOT NULL,
  sealed_secret text NOT NULL,
  secret_hint text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  disabled_at timestamptz(3),
  failing_since timestamptz(3),
  consecutive_failures integer NOT NULL DEFAULT 0,
  delivery_count integer NOT NULL DEFAULT 0,
  failure_count integer NOT NULL DEFAULT 0,
  last_error text,
  last_failure_at timestamptz(3),
  last_success_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  transient_failures integer NOT NULL DEFAULT 0,
  deleted_at timestamptz(3),
  CONSTRAINT pk_webhooks PRIMARY KEY (id)
);
CREATE INDEX ix_webhooks_bot_id ON webhooks (bot_id);
CREATE INDEX ix_webhooks_org_created ON webhooks (org_id, created_at, id);
`,

  references: `
ALTER TABLE webhook_deliveries
  ADD CONSTRAINT fk_webhook_deliveries_replay_of_id FOREIGN KEY (replay_of_id) REFERENCES webhook_deliveries(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_webhook_deliveries_webhook_id FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE;

ALTER TABLE webhooks
  ADD CONSTRAINT fk_webhooks_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_webhooks_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;
`,
};
