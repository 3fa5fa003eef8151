import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds database columns for the ids by which callers replace documents, and for digests that detect unchanged
 * content.
 */
export class ExternalDocuments1796046400000 implements MigrationInterface {
  name = 'ExternalDocuments1796046400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents ADD external_id text, ADD content_sha256 text');
    await runner.query(
      'CREATE UNIQUE INDEX uq_documents_external_id ON documents (bot_id, external_id) WHERE external_id IS NOT NULL',
    );
    await runner.query(
      'CREATE INDEX ix_documents_content ON documents (bot_id, content_sha256) WHERE content_sha256 IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents DROP content_sha256, DROP external_id');
  }
}
