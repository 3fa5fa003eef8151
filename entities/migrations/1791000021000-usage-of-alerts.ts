import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A message in a messaging app counts once it is handed over, whoever tells of that first; what was handed over and comes again
 * has counted. Tests and codes, which no day counts, are free. The messages of the past count on their days.
 */
export class UsageOfAlerts1791000021000 implements MigrationInterface {
  name = 'UsageOfAlerts1791000021000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION note_sent_alert() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO usage_changes (payer_id, day, id, org_id, alerts)
        SELECT payer_id, (now() AT TIME ZONE 'UTC')::date, gen_random_uuid(), id, 1 FROM orgs WHERE id = NEW.org_id;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER "note_sent_alert" AFTER UPDATE OF state ON alert_messages FOR EACH ROW
      WHEN (OLD.state IN ('pending', 'sending') AND NEW.state IN ('accepted', 'delivered', 'read', 'kept')
        AND OLD.provider_id IS NULL AND NEW.counted_on IS NOT NULL)
      EXECUTE FUNCTION note_sent_alert()`);
    await runner.query(`INSERT INTO usage_changes (payer_id, day, id, org_id, alerts)
      SELECT o.payer_id, (coalesce(m.finished_at, m.created_at) AT TIME ZONE 'UTC')::date, gen_random_uuid(), o.id, count(*)
      FROM alert_messages m JOIN orgs o ON o.id = m.org_id
      WHERE state IN ('accepted', 'delivered', 'read', 'kept') AND counted_on IS NOT NULL GROUP BY o.id, 2`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER "note_sent_alert" ON "alert_messages"`);
    await runner.query(`DROP FUNCTION note_sent_alert`);
  }
}
