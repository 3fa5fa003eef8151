import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the database table of the texts that agents insert into their replies. */
export class SavedReplies1796101000000 implements MigrationInterface {
  readonly name = 'SavedReplies1796101000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE saved_replies (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        name text NOT NULL,
        name_key text NOT NULL,
        text text NOT NULL,
        created_by_id uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_saved_replies PRIMARY KEY (id),
        CONSTRAINT fk_saved_replies_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE,
        CONSTRAINT fk_saved_replies_created_by_id FOREIGN KEY (created_by_id) REFERENCES users(id) ON DELETE SET NULL
      )`);
    for (const [name, columns] of [
      ['UNIQUE INDEX uq_saved_replies_name', 'org_id, name_key'],
      ['INDEX ix_saved_replies_created', 'org_id, created_at, id'],
      ['INDEX ix_saved_replies_created_by_id', 'created_by_id'],
    ])
      await runner.query(`CREATE ${name} ON saved_replies (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_replies');
  }
}
