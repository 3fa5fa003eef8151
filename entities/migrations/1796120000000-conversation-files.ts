import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the database table of files that visitors and agents send in conversations. */
export class ConversationFiles1796120000000 implements MigrationInterface {
  readonly name = 'ConversationFiles1796120000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversation_files (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        conversation_id uuid,
        message_id uuid,
        client_id text,
        sender_role text NOT NULL,
        name text NOT NULL,
        mime_type text NOT NULL,
        size_bytes integer NOT NULL DEFAULT 0,
        width integer,
        height integer,
        sha256 text,
        storage_key text NOT NULL,
        file_key_id uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        key_id uuid,
        CONSTRAINT pk_conversation_files PRIMARY KEY (id),
        CONSTRAINT fk_conversation_files_conversation_id FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
      )`);
    for (const [name, columns] of [
      ['ix_conversation_files_conversation', '(conversation_id, created_at, id)'],
      ['ix_conversation_files_org', '(org_id, id)'],
      ['ix_conversation_files_unsent', '(created_at, id) WHERE message_id IS NULL'],
    ])
      await runner.query(`CREATE INDEX ${name} ON conversation_files ${columns}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE conversation_files');
  }
}
