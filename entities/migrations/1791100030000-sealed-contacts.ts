import type { MigrationInterface, QueryRunner } from 'typeorm';

const DETAILS = `"name" gin_trgm_ops, "email" gin_trgm_ops, "phone" gin_trgm_ops,
  (regexp_replace("phone", '\\(0\\)|[^0-9]', '', 'g')) gin_trgm_ops`;
const NAMES = '"visitor_id" gin_trgm_ops, "identity" gin_trgm_ops';

/** What is sealed of contacts and bookings is in no index; what pages call their visitors is found all the same. */
export class SealedContacts1791100030000 implements MigrationInterface {
  name = 'SealedContacts1791100030000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['contacts', 'bookings'])
      await runner.query(`ALTER TABLE "${table}" ADD "key_id" uuid`);
    await runner.query(`DROP INDEX "ix_contacts_text"`);
    await runner.query(
      `CREATE INDEX "ix_contacts_text" ON "contacts" USING gin ("org_id", ${DETAILS}) WHERE key_id IS NULL`,
    );
    await runner.query(
      `CREATE INDEX "ix_contacts_visitor_text" ON "contacts" USING gin ("org_id", ${NAMES})`,
    );
    // Those that are erased are walked through, too.
    await runner.query(`DROP INDEX "ix_contacts_org_created"`);
    await runner.query(`CREATE INDEX "ix_contacts_org_created" ON "contacts" ("org_id", "created_at", "id")`);
    await runner.query(`DROP INDEX "ix_bookings_attendee"`);
    await runner.query(`CREATE INDEX "ix_bookings_attendee" ON "bookings" ("org_id", lower(attendee_email), "starts_at")
      WHERE status = 'confirmed' AND key_id IS NULL`);
    await runner.query(`CREATE INDEX "ix_bookings_sealed" ON "bookings" ("org_id", "starts_at")
      WHERE status = 'confirmed' AND key_id IS NOT NULL`);
    await runner.query(`CREATE INDEX "ix_bookings_org_created" ON "bookings" ("org_id", "created_at", "id")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ix_bookings_org_created"`);
    await runner.query(`DROP INDEX "ix_bookings_sealed"`);
    await runner.query(`DROP INDEX "ix_bookings_attendee"`);
    await runner.query(`CREATE INDEX "ix_bookings_attendee" ON "bookings" ("org_id", lower(attendee_email), "starts_at")
      WHERE status = 'confirmed'`);
    await runner.query(`DROP INDEX "ix_contacts_org_created"`);
    await runner.query(`CREATE INDEX "ix_contacts_org_created" ON "contacts" ("org_id", "created_at", "id")
      WHERE deleted_at IS NULL`);
    await runner.query(`DROP INDEX "ix_contacts_visitor_text"`);
    await runner.query(`DROP INDEX "ix_contacts_text"`);
    await runner.query(
      `CREATE INDEX "ix_contacts_text" ON "contacts" USING gin ("org_id", ${DETAILS}, ${NAMES})`,
    );
    for (const table of ['contacts', 'bookings'])
      await runner.query(`ALTER TABLE "${table}" DROP COLUMN "key_id"`);
  }
}
