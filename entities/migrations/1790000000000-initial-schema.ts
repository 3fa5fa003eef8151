import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables of the main job: workspaces and their keys, bots, knowledge, conversations, webhooks, outbox. */
export class InitialSchema1790000000000 implements MigrationInterface {
  name = 'InitialSchema1790000000000';

  async up(runner: QueryRunner): Promise<void> {
    // Lets one index serve "this bot's chunks that contain this word".
    await runner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    await runner.query(`CREATE TABLE "orgs" (
        "id" uuid NOT NULL,
        "name" text NOT NULL,
        "slug" text NOT NULL,
        "plan_tier" text NOT NULL DEFAULT 'free',
        "parent_org_id" uuid,
        "is_active" boolean NOT NULL DEFAULT true,
        "settings" jsonb NOT NULL DEFAULT '{}',
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_orgs" PRIMARY KEY ("id")
      )`);
    await runner.query(`CREATE INDEX "ix_orgs_parent_org_id" ON "orgs" ("parent_org_id")`);
    await runner.query(`CREATE UNIQUE INDEX "uq_orgs_slug" ON "orgs" ("slug")`);
    await runner.query(`CREATE TABLE "users" (
        "id" uuid NOT NULL,
        "email" text NOT NULL,
        "full_name" text NOT NULL,
        "password_hash" text,
        "email_verified_at" TIMESTAMP(3) WITH TIME ZONE,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_users" PRIMARY KEY ("id")
      )`);
    await runner.query(`CREATE UNIQUE INDEX "uq_users_email" ON "users" ("email")`);
    await runner.query(`CREATE TABLE "api_keys" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "created_by_id" uuid NOT NULL,
        "name" text NOT NULL,
        "digest" text NOT NULL,
        "last_four" text NOT NULL,
        "scopes" text array NOT NULL,
        "api_version" text,
        "expires_at" TIMESTAMP(3) WITH TIME ZONE,
        "revoked_at" TIMESTAMP(3) WITH TIME ZONE,
        "last_used_at" TIMESTAMP(3) WITH TIME ZONE,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_api_keys" PRIMARY KEY ("id")
      )`);
    await runner.query(`CREATE INDEX "ix_api_keys_created_by_id" ON "api_keys" ("created_by_id")`);
    await runner.query(`CREATE INDEX "ix_api_keys_org_id" ON "api_keys" ("org_id")`);
    await runner.query(`CREATE UNIQUE INDEX "uq_api_keys_digest" ON "api_keys" ("digest")`);
    await runner.query(`CREATE TABLE "bots" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "name" text NOT NULL,
        "description" text,
        "status" text NOT NULL DEFAULT 'draft',
        "public_key" text NOT NULL,
        "llm_provider" text NOT NULL,
        "model" text,
        "sealed_api_key" text,
        "custom_endpoint_config" jsonb,
        "sealed_auth_header_value" text,
        "system_prompt" text NOT NULL DEFAULT '',
        "temperature" double precision NOT NULL,
        "max_tokens" integer NOT NULL,
        "thinking_enabled" boolean NOT NULL DEFAULT false,
        "thinking_budget_tokens" integer NOT NULL,
        "welcome_message" text,
        "starter_questions" text array NOT NULL DEFAULT '{}',
        "fallback_message" text,
        "strict_kb_mode" boolean NOT NULL DEFAULT false,
        "language" text NOT NULL DEFAULT 'auto',
        "lead_capture_config" jsonb,
        "contact_fields_config" jsonb NOT NULL DEFAULT '[]',
        "directory_config" jsonb,
        "widget_theme" jsonb NOT NULL DEFAULT '{}',
        "allowed_domains" text array,
        "is_public" boolean NOT NULL DEFAULT true,
        "rate_limit_per_minute" integer NOT NULL,
        "monthly_message_cap" integer,
        "handoff_enabled" boolean NOT NULL DEFAULT false,
        "handoff_config" jsonb,
        "last_error" text,
        "total_conversations" integer NOT NULL DEFAULT '0',
        "total_messages" integer NOT NULL DEFAULT '0',
        "indexed_chunk_count" integer NOT NULL DEFAULT '0',
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "deleted_at" TIMESTAMP(3) WITH TIME ZONE,
        CONSTRAINT "pk_bots" PRIMARY KEY ("id")
      )`);
    await runner.query(`CREATE INDEX "ix_bots_org_created" ON "bots" ("org_id", "created_at", "id")`);
    await runner.query(`CREATE UNIQUE INDEX "uq_bots_public_key" ON "bots" ("public_key")`);
    await runner.query(`CREATE TABLE "documents" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid NOT NULL,
        "parent_id" uuid,
        "source_type" text NOT NULL,
        "title" text NOT NULL DEFAULT '',
        "status" text NOT NULL DEFAULT 'pending',
        "revision" integer NOT NULL DEFAULT '1',
        "chunk_count" integer NOT NULL DEFAULT '0',
        "token_count" integer NOT NULL DEFAULT '0',
        "embedding_model" text,
        "error_message" text,
        "mime_type" text,
        "size_bytes" integer NOT NULL DEFAULT '0',
        "source_url" text,
        "filename" text,
        "storage_key" text,
        "tags" text array NOT NULL DEFAULT '{}',
        "max_pages" integer NOT NULL DEFAULT '25',
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "indexed_at" TIMESTAMP(3) WITH TIME ZONE,
        CONSTRAINT "pk_documents" PRIMARY KEY ("id")
      )`);
    await runner.query(
      `CREATE INDEX "ix_documents_unfinished" ON "documents" ("id") WHERE status IN ('pending', 'processing')`,
    );
    await runner.query(`CREATE INDEX "ix_documents_parent_id" ON "documents" ("parent_id")`);
    await runner.query(`CREATE INDEX "ix_documents_bot_id" ON "documents" ("bot_id")`);
    await runner.query(
      `CREATE INDEX "ix_documents_bot_created" ON "documents" ("org_id", "bot_id", "created_at", "id")`,
    );
    await runner.query(`CREATE TABLE "chunks" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid NOT NULL,
        "document_id" uuid NOT NULL,
        "position" integer NOT NULL,
        "headings" text array NOT NULL DEFAULT '{}',
        "text" text NOT NULL,
        "token_count" integer NOT NULL,
        "search_config" text NOT NULL,
        "search" tsvector NOT NULL,
        CONSTRAINT "pk_chunks" PRIMARY KEY ("id")
      )`);
    await runner.query(`CREATE INDEX "ix_chunks_org_id" ON "chunks" ("org_id")`);
    await runner.query(`CREATE INDEX "ix_chunks_document" ON "chunks" ("document_id", "position")`);
    await runner.query(`CREATE TABLE "conversations" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid NOT NULL,
        "visitor_id" text NOT NULL,
        "status" text NOT NULL DEFAULT 'active',
        "consent" text NOT NULL DEFAULT 'unknown',
        "custom_fields" jsonb NOT NULL DEFAULT '{}',
        "is_lead" boolean NOT NULL DEFAULT false,
        "is_resolved" boolean NOT NULL DEFAULT false,
        "message_count" integer NOT NULL DEFAULT '0',
        "page_url" text,
        "referrer" text,
        "rating" integer,
        "sentiment" text,
        "summary" text,
        "title" text,
        "total_cost_usd" numeric(16,8) NOT NULL DEFAULT '0',
        "total_input_tokens" integer NOT NULL DEFAULT '0',
        "total_output_tokens" integer NOT NULL DEFAULT '0',
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "last_message_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "visitor_seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "ended_at" TIMESTAMP(3) WITH TIME ZONE,
        CONSTRAINT "pk_conversations" PRIMARY KEY ("id")
      )`);
    await runner.query(
      `CREATE INDEX "ix_conversations_bot_created" ON "conversations" ("bot_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_conversations_org_created" ON "conversations" ("org_id", "created_at", "id")`,
    );
    await runner.query(`CREATE TABLE "idempotency_keys" (
        "principal" text NOT NULL,
        "key" text NOT NULL,
        "fingerprint" text NOT NULL,
        "status" integer NOT NULL,
        "sealed_body" text NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        CONSTRAINT "pk_idempotency_keys" PRIMARY KEY ("principal", "key")
      )`);
    await runner.query(`CREATE INDEX "ix_idempotency_keys_expires_at" ON "idempotency_keys" ("expires_at")`);
    await runner.query(`CREATE TABLE "memberships" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "user_id" uuid NOT NULL,
        "role" text NOT NULL,
        "is_default" boolean NOT NULL DEFAULT false,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_memberships" PRIMARY KEY ("id")
      )`);
    await runner.query(`CREATE INDEX "ix_memberships_user_id" ON "memberships" ("user_id")`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_memberships_org_user" ON "memberships" ("org_id", "user_id")`,
    );
    await runner.query(`CREATE TABLE "messages" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "conversation_id" uuid NOT NULL,
        "reply_to_id" uuid,
        "role" text NOT NULL,
        "state" text NOT NULL DEFAULT 'complete',
        "content" text NOT NULL,
        "client_id" text,
        "citations" jsonb,
        "model" text,
        "input_tokens" integer,
        "output_tokens" integer,
        "cost_usd" numeric(16,8),
        "latency_ms" integer,
        "ttft_ms" integer,
        "is_error" boolean NOT NULL DEFAULT false,
        "error_code" text,
        "lease_expires_at" TIMESTAMP(3) WITH TIME ZONE,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_messages" PRIMARY KEY ("id")
      )`);
    await runner.query(
      `CREATE INDEX "ix_messages_generating" ON "messages" ("lease_expires_at") WHERE state = 'generating'`,
    );
    await runner.query(
      `CREATE INDEX "ix_messages_idempotency_key" ON "messages" ("created_at") WHERE client_id LIKE 'idempotency-key:%'`,
    );
    await runner.query(`CREATE INDEX "ix_messages_org_id" ON "messages" ("org_id")`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_messages_reply_to" ON "messages" ("reply_to_id") WHERE reply_to_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "uq_messages_client_id" ON "messages" ("conversation_id", "client_id") WHERE client_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX "ix_messages_conversation" ON "messages" ("conversation_id", "created_at", "id")`,
    );
    await runner.query(`CREATE TABLE "monthly_usage" (
        "bot_id" uuid NOT NULL,
        "month" date NOT NULL,
        "org_id" uuid NOT NULL,
        "messages" integer NOT NULL DEFAULT '0',
        CONSTRAINT "pk_monthly_usage" PRIMARY KEY ("bot_id", "month")
      )`);
    await runner.query(`CREATE TABLE "outbox" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid,
        "kind" text NOT NULL,
        "name" text NOT NULL,
        "payload" jsonb NOT NULL,
        "attempts" integer NOT NULL DEFAULT '0',
        "last_error" text,
        "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_outbox" PRIMARY KEY ("id")
      )`);
    await runner.query(`CREATE INDEX "ix_outbox_due" ON "outbox" ("kind", "due_at", "id")`);
    await runner.query(`CREATE UNLOGGED TABLE "rate_windows" (
        "key" text NOT NULL,
        "used" integer NOT NULL,
        "started_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        CONSTRAINT "pk_rate_windows" PRIMARY KEY ("key")
      )`);
    await runner.query(`CREATE TABLE "search_terms" (
        "bot_id" uuid NOT NULL,
        "lexeme" text COLLATE "C" NOT NULL,
        "search_config" text NOT NULL,
        "chunk_count" integer NOT NULL,
        CONSTRAINT "pk_search_terms" PRIMARY KEY ("bot_id", "lexeme", "search_config")
      )`);
    await runner.query(`CREATE TABLE "webhooks" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid,
        "url" text NOT NULL,
        "description" text,
        "events" text array NOT NULL,
        "api_version" text NOT NULL,
        "sealed_secret" text NOT NULL,
        "secret_hint" text NOT NULL,
        "is_active" boolean NOT NULL DEFAULT true,
        "disabled_at" TIMESTAMP(3) WITH TIME ZONE,
        "failing_since" TIMESTAMP(3) WITH TIME ZONE,
        "consecutive_failures" integer NOT NULL DEFAULT '0',
        "delivery_count" integer NOT NULL DEFAULT '0',
        "failure_count" integer NOT NULL DEFAULT '0',
        "last_error" text,
        "last_failure_at" TIMESTAMP(3) WITH TIME ZONE,
        "last_success_at" TIMESTAMP(3) WITH TIME ZONE,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_webhooks" PRIMARY KEY ("id")
      )`);
    await runner.query(`CREATE INDEX "ix_webhooks_bot_id" ON "webhooks" ("bot_id")`);
    await runner.query(`CREATE INDEX "ix_webhooks_org_created" ON "webhooks" ("org_id", "created_at", "id")`);
    await runner.query(`CREATE TABLE "webhook_deliveries" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "webhook_id" uuid NOT NULL,
        "replay_of_id" uuid,
        "event_id" text NOT NULL,
        "event" text NOT NULL,
        "payload" json NOT NULL,
        "status" text NOT NULL DEFAULT 'pending',
        "attempts" integer NOT NULL DEFAULT '0',
        "reason" text,
        "response_status" integer,
        "response_body" text,
        "duration_ms" integer,
        "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "lease_expires_at" TIMESTAMP(3) WITH TIME ZONE,
        "delivered_at" TIMESTAMP(3) WITH TIME ZONE,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_webhook_deliveries" PRIMARY KEY ("id")
      )`);
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_replay_of_id" ON "webhook_deliveries" ("replay_of_id") WHERE replay_of_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_retrying" ON "webhook_deliveries" ("due_at") WHERE status = 'retrying'`,
    );
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_pending" ON "webhook_deliveries" ("webhook_id", "due_at") WHERE status = 'pending'`,
    );
    await runner.query(
      `CREATE INDEX "ix_webhook_deliveries_org_created" ON "webhook_deliveries" ("org_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "uq_webhook_deliveries_event" ON "webhook_deliveries" ("webhook_id", "event_id") WHERE replay_of_id IS NULL`,
    );
    await runner.query(
      `ALTER TABLE "orgs" ADD CONSTRAINT "fk_orgs_parent_org_id" FOREIGN KEY ("parent_org_id") REFERENCES "orgs"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "api_keys" ADD CONSTRAINT "fk_api_keys_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "api_keys" ADD CONSTRAINT "fk_api_keys_created_by_id" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "bots" ADD CONSTRAINT "fk_bots_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "documents" ADD CONSTRAINT "fk_documents_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "documents" ADD CONSTRAINT "fk_documents_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "documents" ADD CONSTRAINT "fk_documents_parent_id" FOREIGN KEY ("parent_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "chunks" ADD CONSTRAINT "fk_chunks_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "chunks" ADD CONSTRAINT "fk_chunks_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "chunks" ADD CONSTRAINT "fk_chunks_document_id" FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "conversations" ADD CONSTRAINT "fk_conversations_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "conversations" ADD CONSTRAINT "fk_conversations_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "memberships" ADD CONSTRAINT "fk_memberships_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "memberships" ADD CONSTRAINT "fk_memberships_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "messages" ADD CONSTRAINT "fk_messages_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "messages" ADD CONSTRAINT "fk_messages_conversation_id" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "messages" ADD CONSTRAINT "fk_messages_reply_to_id" FOREIGN KEY ("reply_to_id") REFERENCES "messages"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "monthly_usage" ADD CONSTRAINT "fk_monthly_usage_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "search_terms" ADD CONSTRAINT "fk_search_terms_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "webhooks" ADD CONSTRAINT "fk_webhooks_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "webhooks" ADD CONSTRAINT "fk_webhooks_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "fk_webhook_deliveries_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "fk_webhook_deliveries_webhook_id" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "fk_webhook_deliveries_replay_of_id" FOREIGN KEY ("replay_of_id") REFERENCES "webhook_deliveries"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
    );
    await runner.query(
      `CREATE INDEX "ix_chunks_bot_search" ON "chunks" USING gin ("bot_id", "search") WITH (fastupdate = off)`,
    );
    // Windows are updated in place all the time; free room on each page keeps those updates off the index.
    await runner.query(`ALTER TABLE "rate_windows" SET (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE "api_keys", "bots", "chunks", "conversations", "documents", "idempotency_keys", "memberships", "messages", "monthly_usage", "orgs", "outbox", "rate_windows", "search_terms", "users", "webhook_deliveries", "webhooks" CASCADE`,
    );
  }
}
