import type { FeatureSchema } from './feature-schema.ts';

export const CONVERSATIONS: FeatureSchema = {
  tables: `
-- Each turn updates its conversation: free room on its page keeps that off the indexes.
CREATE TABLE conversations (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  visitor_id text NOT NULL,
  status text NOT NULL DEFAULT 'active',
  consent text NOT NULL DEFAULT 'unknown',
  custom_fields jsonb NOT NULL DEFAULT '{}',
  is_lead boolean NOT NULL DEFAULT false,
  is_resolved boolean NOT NULL DEFAULT false,
  message_count integer NOT NULL DEFAULT 0,
  page_url text,
  referrer text,
  rating integer,
  sentiment text,
  summary text,
  title text,
  total_cost_usd numeric(16,8) NOT NULL DEFAULT '0',
  total_input_tokens integer NOT NULL DEFAULT 0,
  total_output_tokens integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_message_at timestamptz(3) NOT NULL DEFAULT now(),
  visitor_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  consent_at timestamptz(3),
  handoff_requested_at timestamptz(3),
  handoff_reason text,
  assigned_to_id uuid,
  assigned_at timestamptz(3),
  reopened_at timestamptz(3),
  contact_id uuid,
  country text,
  lead_details jsonb NOT NULL DEFAULT '{}',
  last_message_hour timestamptz(3) NOT NULL DEFAULT now(),
  browser_id uuid NOT NULL,
  is_vouched_for boolean NOT NULL DEFAULT false,
  is_in_flow boolean NOT NULL DEFAULT false,
  has_visitor_message boolean NOT NULL DEFAULT false,
  had_handoff boolean NOT NULL DEFAULT false,
  key_id uuid,
  CONSTRAINT pk_conversations PRIMARY KEY (id)
) WITH (fillfactor='50');
CREATE INDEX ix_conversations_active ON conversations (created_at) WHERE status = 'active';
CREATE INDEX ix_conversations_assigned ON conversations (assigned_to_id, org_id, handoff_requested_at, id)
  WHERE assigned_to_id IS NOT NULL;
CREATE INDEX ix_conversations_bot_created ON conversations (bot_id, org_id, created_at, id);
CREATE INDEX ix_conversations_browser ON conversations (bot_id, browser_id, created_at, id);
CREATE INDEX ix_conversations_contact ON conversations (contact_id, created_at, id) WHERE contact_id IS NOT NULL;
CREATE INDEX ix_conversations_handoffs ON conversations (created_at) WHERE status IN ('waiting_human', 'human');
CREATE INDEX ix_conversations_inbox ON conversations (org_id, handoff_requested_at, id, assigned_to_id)
  WHERE status IN ('waiting_human', 'human');
CREATE INDEX ix_conversations_inbox_of_bot ON conversations (bot_id, org_id, handoff_requested_at, id)
  WHERE status IN ('waiting_human', 'human');
CREATE INDEX ix_conversations_last_message ON conversations (org_id, last_message_hour);
CREATE INDEX ix_conversations_leads ON conversations (org_id, created_at, id) WHERE is_lead;
CREATE INDEX ix_conversations_org_created ON conversations (org_id, created_at, id);
CREATE INDEX ix_conversations_rating ON conversations (org_id, rating, created_at, id) WHERE rating IS NOT NULL;
CREATE INDEX ix_conversations_resolved ON conversations (org_id, is_resolved, created_at, id);
CREATE INDEX ix_conversations_status ON conversations (org_id, status, created_at, id);
CREATE INDEX ix_conversations_text ON conversations
  USING gin (org_id, title gin_trgm_ops, summary gin_trgm_ops, visitor_id gin_trgm_ops);

CREATE TABLE deleted_conversations (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  contact_id uuid,
  reply_ids uuid[] NOT NULL,
  began_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  browser_id uuid NOT NULL,
  CONSTRAINT pk_deleted_conversations PRIMARY KEY (id)
);
CREATE INDEX ix_deleted_conversations_contact ON deleted_conversations (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX ix_deleted_conversations_deleted ON deleted_conversations (deleted_at);
CREATE INDEX ix_deleted_conversations_org_bot ON deleted_conversations (org_id, bot_id, browser_id);

CREATE TABLE inbox_changes (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  assigned_to_id uuid,
  change integer NOT NULL,
  CONSTRAINT pk_inbox_changes PRIMARY KEY (id)
);
CREATE INDEX ix_inbox_changes_count ON inbox_changes (org_id, bot_id, assigned_to_id);

CREATE TABLE messages (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  reply_to_id uuid,
  role text NOT NULL,
  state text NOT NULL DEFAULT 'complete',
  content text NOT NULL,
  client_id text,
  citations jsonb,
  model text,
  input_tokens integer,
  output_tokens integer,
  cost_usd numeric(16,8),
  latency_ms integer,
  ttft_ms integer,
  is_error boolean NOT NULL DEFAULT false,
  error_code text,
  lease_expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  author_id uuid,
  author_name text,
  event jsonb,
  mailed_at timestamptz(3),
  is_unanswered boolean NOT NULL DEFAULT false,
  input jsonb,
  option_id text,
  key_id uuid,
  CONSTRAINT pk_messages PRIMARY KEY (id)
);
CREATE INDEX ix_messages_author ON messages (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX ix_messages_conversation ON messages (conversation_id, created_at, id);
CREATE INDEX ix_messages_generating ON messages (lease_expires_at) WHERE state = 'generating';
CREATE INDEX ix_messages_idempotency_key ON messages (created_at) WHERE client_id ~~ 'idempotency-key:%';
CREATE INDEX ix_messages_text ON messages USING gin (org_id, content gin_trgm_ops) WHERE key_id IS NULL;
CREATE INDEX ix_messages_unanswered ON messages (org_id, created_at) WHERE is_unanswered;
CREATE UNIQUE INDEX uq_messages_client_id ON messages (conversation_id, client_id) WHERE client_id IS NOT NULL;
CREATE UNIQUE INDEX uq_messages_reply_to ON messages (reply_to_id) WHERE reply_to_id IS NOT NULL;
`,

  references: `
ALTER TABLE conversations
  ADD CONSTRAINT fk_conversations_assigned_to_id FOREIGN KEY (assigned_to_id) REFERENCES users(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_conversations_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_conversations_contact_id FOREIGN KEY (contact_id) REFERENCES contacts(id) ON DELETE SET NULL;

ALTER TABLE deleted_conversations
  ADD CONSTRAINT fk_deleted_conversations_contact_id FOREIGN KEY (contact_id) REFERENCES contacts(id) ON DELETE CASCADE;

ALTER TABLE messages
  ADD CONSTRAINT fk_messages_conversation_id FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_messages_reply_to_id FOREIGN KEY (reply_to_id) REFERENCES messages(id) ON DELETE CASCADE;
`,

  functions: `
-- Closes the flow of a conversation that leaves its bot.
CREATE FUNCTION close_flow_session() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.is_in_flow := false;
        UPDATE flow_sessions
        SET status = 'closed', awaiting = NULL, sealed_state = NULL, wait_id = NULL, updated_at = now()
        WHERE conversation_id = NEW.id AND status = 'waiting';
        RETURN NEW;
      END $$;
CREATE TRIGGER tr_conversations_close_flow BEFORE UPDATE OF status ON conversations
  FOR EACH ROW WHEN (OLD.is_in_flow AND NEW.status <> 'active')
  EXECUTE FUNCTION close_flow_session();

-- Lists are ordered by the hour of the last message: an index of its exact time would be written with every turn.
CREATE FUNCTION keep_last_message_hour() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.last_message_hour := date_trunc('hour', NEW.last_message_at, 'UTC');
        RETURN NEW;
      END $$;
CREATE TRIGGER tr_conversations_last_message BEFORE INSERT OR UPDATE OF last_message_at ON conversations
  FOR EACH ROW WHEN (NEW.last_message_hour IS DISTINCT FROM date_trunc('hour', NEW.last_message_at, 'UTC'))
  EXECUTE FUNCTION keep_last_message_hour();

-- Keeps the exact size of the inbox.
CREATE FUNCTION note_inbox_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' AND OLD.status IN ('waiting_human', 'human') THEN
          INSERT INTO inbox_changes (id, org_id, bot_id, assigned_to_id, change)
          VALUES (gen_random_uuid(), OLD.org_id, OLD.bot_id, OLD.assigned_to_id, -1);
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.status IN ('waiting_human', 'human') THEN
          INSERT INTO inbox_changes (id, org_id, bot_id, assigned_to_id, change)
          VALUES (gen_random_uuid(), NEW.org_id, NEW.bot_id, NEW.assigned_to_id, 1);
        END IF;
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_conversations_inbox_change AFTER UPDATE OF status, assigned_to_id ON conversations
  FOR EACH ROW WHEN (
    (OLD.status IN ('waiting_human', 'human') <> NEW.status IN ('waiting_human', 'human'))
    OR (NEW.status IN ('waiting_human', 'human') AND OLD.assigned_to_id IS DISTINCT FROM NEW.assigned_to_id)
  )
  EXECUTE FUNCTION note_inbox_change();
CREATE TRIGGER tr_conversations_inbox_deletion AFTER DELETE ON conversations
  FOR EACH ROW WHEN (OLD.status IN ('waiting_human', 'human'))
  EXECUTE FUNCTION note_inbox_change();
CREATE TRIGGER tr_conversations_inbox_insertion AFTER INSERT ON conversations
  FOR EACH ROW WHEN (NEW.status IN ('waiting_human', 'human'))
  EXECUTE FUNCTION note_inbox_change();

-- Notifies open streams of changes that they show. Ordinary turns notify no stream.
CREATE FUNCTION notify_conversation_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parley_conversations', NEW.org_id || ' ' || NEW.id);
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_conversations_change AFTER UPDATE ON conversations
  FOR EACH ROW WHEN (
    OLD.status IS DISTINCT FROM NEW.status
    OR OLD.assigned_to_id IS DISTINCT FROM NEW.assigned_to_id
    OR (NEW.status IN ('waiting_human', 'human') AND OLD.message_count <> NEW.message_count)
  )
  EXECUTE FUNCTION notify_conversation_change();

CREATE FUNCTION notify_conversation_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parley_conversations', OLD.org_id || ' ' || OLD.id);
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_conversations_deletion AFTER DELETE ON conversations
  FOR EACH ROW WHEN (OLD.status <> 'ended')
  EXECUTE FUNCTION notify_conversation_deletion();

-- Notifies the streams of visitors of all system messages, and the team's of those of the inbox.
CREATE FUNCTION notify_system_message() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parley_conversations', (SELECT CASE WHEN status IN ('waiting_human', 'human') THEN org_id::text ELSE '' END
        FROM conversations WHERE id = NEW.conversation_id) || ' ' || NEW.conversation_id);
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_messages_system AFTER INSERT ON messages
  FOR EACH ROW WHEN (NEW.role = 'system')
  EXECUTE FUNCTION notify_system_message();
CREATE TRIGGER tr_messages_unasked AFTER UPDATE OF state ON messages
  FOR EACH ROW WHEN (NEW.role = 'assistant' AND NEW.reply_to_id IS NULL AND OLD.state <> NEW.state)
  EXECUTE FUNCTION notify_system_message();

-- Remembers a deleted conversation, so that an erasure of its visitor finds its copies.
CREATE FUNCTION remember_deleted_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN 
        INSERT INTO deleted_conversations (id, org_id, bot_id, browser_id, contact_id, reply_ids, began_at)
        VALUES (OLD.id, OLD.org_id, OLD.bot_id, OLD.browser_id, OLD.contact_id,
          ARRAY(SELECT id FROM messages WHERE conversation_id = OLD.id AND role = 'agent'), OLD.created_at)
        ON CONFLICT (id) DO UPDATE SET bot_id = excluded.bot_id, browser_id = excluded.browser_id,
          contact_id = excluded.contact_id, deleted_at = excluded.deleted_at,
          reply_ids = ARRAY(SELECT unnest(deleted_conversations.reply_ids) UNION SELECT unnest(excluded.reply_ids));
        RETURN OLD;
      END $$;
CREATE TRIGGER tr_conversations_remember BEFORE DELETE ON conversations
  FOR EACH ROW
  EXECUTE FUNCTION remember_deleted_conversation();
`,
};
