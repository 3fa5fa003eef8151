import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the database table of visitors' ratings of single answers. */
export class AnswerRatings1796109000000 implements MigrationInterface {
  readonly name = 'AnswerRatings1796109000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE answer_ratings (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        conversation_id uuid NOT NULL,
        message_id uuid NOT NULL,
        thumb text NOT NULL,
        reason text,
        comment text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        key_id uuid,
        CONSTRAINT pk_answer_ratings PRIMARY KEY (id),
        CONSTRAINT fk_answer_ratings_conversation_id FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
        CONSTRAINT fk_answer_ratings_message_id FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX uq_answer_ratings_message ON answer_ratings (message_id)');
    for (const [name, columns] of [
      ['ix_answer_ratings_conversation', 'conversation_id, created_at, id'],
      ['ix_answer_ratings_org', 'org_id, created_at, id'],
      ['ix_answer_ratings_bot', 'bot_id, thumb, created_at, id'],
    ])
      await runner.query(`CREATE INDEX ${name} ON answer_ratings (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE answer_ratings');
  }
}
