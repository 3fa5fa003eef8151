import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A page that is added is looked for among those that the bot has already. By digest: addresses are longer than a B-tree takes. */
export class DocumentsByAddress1790000830000 implements MigrationInterface {
  name = 'DocumentsByAddress1790000830000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "ix_documents_address" ON "documents" USING hash (split_part(source_url, '#', 1))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_documents_address"`);
  }
}
