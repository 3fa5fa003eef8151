import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Conversations that are led by a flow. Whatever takes a conversation from its bot closes the flow, whoever does it; open streams
 * hear of messages that come without a turn of the visitor.
 */
export class FlowSessions1790000930000 implements MigrationInterface {
  name = 'FlowSessions1790000930000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "flow_sessions" (
        "conversation_id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "flow_id" uuid NOT NULL,
        "revision" integer NOT NULL,
        "status" text NOT NULL,
        "node_id" text NOT NULL,
        "awaiting" jsonb,
        "sealed_state" text,
        "steps" integer NOT NULL,
        "wait_id" uuid,
        "failure" text,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_flow_sessions" PRIMARY KEY ("conversation_id"),
        CONSTRAINT "fk_flow_sessions_conversation_id" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE,
        CONSTRAINT "fk_flow_sessions_flow_id" FOREIGN KEY ("flow_id") REFERENCES "flows"("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "ix_flow_sessions_flow" ON "flow_sessions" ("flow_id", "revision")`);
    await runner.query(`ALTER TABLE "conversations" ADD "is_in_flow" boolean NOT NULL DEFAULT false`);
    await runner.query(`CREATE FUNCTION close_flow_session() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.is_in_flow := false;
        UPDATE flow_sessions
        SET status = 'closed', awaiting = NULL, sealed_state = NULL, wait_id = NULL, updated_at = now()
        WHERE conversation_id = NEW.id AND status = 'waiting';
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_conversations_close_flow BEFORE UPDATE OF status ON "conversations" FOR EACH ROW
      WHEN (OLD.is_in_flow AND NEW.status <> 'active') EXECUTE FUNCTION close_flow_session()`);
    await runner.query(`CREATE TRIGGER tr_messages_unasked AFTER UPDATE OF state ON "messages" FOR EACH ROW
      WHEN (NEW.role = 'assistant' AND NEW.reply_to_id IS NULL AND OLD.state <> NEW.state)
      EXECUTE FUNCTION notify_system_message()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tr_messages_unasked ON "messages"`);
    await runner.query(`DROP TRIGGER tr_conversations_close_flow ON "conversations"`);
    await runner.query(`DROP FUNCTION close_flow_session`);
    await runner.query(`ALTER TABLE "conversations" DROP COLUMN "is_in_flow"`);
    await runner.query(`DROP TABLE "flow_sessions"`);
  }
}
