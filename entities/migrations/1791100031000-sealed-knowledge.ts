import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What passages and originals are sealed with; and indexes for whoever walks through all of a workspace's. */
export class SealedKnowledge1791100031000 implements MigrationInterface {
  name = 'SealedKnowledge1791100031000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['chunks', 'documents'])
      await runner.query(`ALTER TABLE "${table}" ADD "key_id" uuid`);
    await runner.query(
      `CREATE INDEX "ix_documents_org_created" ON "documents" ("org_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_documents_originals" ON "documents" ("org_id", "id") WHERE storage_key IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_documents_originals"`);
    await runner.query(`DROP INDEX "ix_documents_org_created"`);
    for (const table of ['documents', 'chunks'])
      await runner.query(`ALTER TABLE "${table}" DROP COLUMN "key_id"`);
  }
}
