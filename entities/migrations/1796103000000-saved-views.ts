import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the database table of the filters that members save for pages of the console. */
export class SavedViews1796103000000 implements MigrationInterface {
  readonly name = 'SavedViews1796103000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE saved_views (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        created_by_id uuid NOT NULL,
        page text NOT NULL,
        name text NOT NULL,
        query jsonb NOT NULL,
        position integer NOT NULL,
        is_shared boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_saved_views PRIMARY KEY (id),
        CONSTRAINT fk_saved_views_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE,
        CONSTRAINT fk_saved_views_created_by_id FOREIGN KEY (created_by_id) REFERENCES users(id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX ix_saved_views_org_id ON saved_views (org_id)');
    await runner.query('CREATE INDEX ix_saved_views_created_by_id ON saved_views (created_by_id, org_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_views');
  }
}
