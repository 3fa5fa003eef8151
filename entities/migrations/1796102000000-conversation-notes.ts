import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the database table of the notes that members write about conversations. */
export class ConversationNotes1796102000000 implements MigrationInterface {
  readonly name = 'ConversationNotes1796102000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversation_notes (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        conversation_id uuid NOT NULL,
        author_id uuid,
        text text NOT NULL,
        mentioned_ids uuid[] NOT NULL DEFAULT '{}',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        key_id uuid,
        CONSTRAINT pk_conversation_notes PRIMARY KEY (id),
        CONSTRAINT fk_conversation_notes_conversation_id FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
        CONSTRAINT fk_conversation_notes_author_id FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL
      )`);
    for (const [name, columns] of [
      ['ix_conversation_notes_conversation', 'conversation_id, created_at, id'],
      ['ix_conversation_notes_author_id', 'author_id'],
    ])
      await runner.query(`CREATE INDEX ${name} ON conversation_notes (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE conversation_notes');
  }
}
