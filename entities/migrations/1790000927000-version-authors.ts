import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A team asks whose version it is. Of those before nobody knows. */
export class VersionAuthors1790000927000 implements MigrationInterface {
  name = 'VersionAuthors1790000927000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "bot_versions" ADD "author_id" uuid`);
    await runner.query(`ALTER TABLE "bot_versions" ADD CONSTRAINT "fk_bot_versions_author_id"
        FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL`);
    await runner.query(
      `CREATE INDEX "ix_bot_versions_author_id" ON "bot_versions" ("author_id") WHERE author_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_bot_versions_author_id"`);
    await runner.query(`ALTER TABLE "bot_versions" DROP COLUMN "author_id"`);
  }
}
