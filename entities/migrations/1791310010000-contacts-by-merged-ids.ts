import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who has taken over a contact, for imports: each of their batches read all contacts of the workspace otherwise. */
export class ContactsByMergedIds1791310010000 implements MigrationInterface {
  name = 'ContactsByMergedIds1791310010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "ix_contacts_erased_ids" ON "contacts" USING gin ("erased_ids") WHERE erased_ids <> '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "ix_contacts_erased_ids"');
  }
}
