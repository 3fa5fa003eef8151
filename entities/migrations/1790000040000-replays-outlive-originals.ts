import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replays lose their reference when the log expires that far; they must not count as deliveries of the event itself
 * then, of which there is one for each endpoint.
 */
export class ReplaysOutliveOriginals1790000040000 implements MigrationInterface {
  name = 'ReplaysOutliveOriginals1790000040000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE "webhook_deliveries" SET "is_on_demand" = true WHERE replay_of_id IS NOT NULL AND NOT is_on_demand`,
    );
    await queryRunner.query(`DROP INDEX "uq_webhook_deliveries_event"`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "uq_webhook_deliveries_event" ON "webhook_deliveries" ("webhook_id", "event_id") WHERE NOT is_on_demand`,
    );
  }

  /** Forgets replays whose originals are gone: the older index takes them for repeated deliveries. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "uq_webhook_deliveries_event"`);
    await queryRunner.query(
      `DELETE FROM "webhook_deliveries" later USING "webhook_deliveries" earlier
       WHERE later.webhook_id = earlier.webhook_id AND later.event_id = earlier.event_id AND later.id > earlier.id
         AND later.replay_of_id IS NULL AND earlier.replay_of_id IS NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "uq_webhook_deliveries_event" ON "webhook_deliveries" ("webhook_id", "event_id") WHERE replay_of_id IS NULL`,
    );
  }
}
