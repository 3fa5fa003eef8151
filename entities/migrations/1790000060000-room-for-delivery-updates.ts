import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each delivery is written three times within a moment: when it is made, leased and recorded. With room on its page the
 * lease touches no index, and later deliveries take the room that the older versions leave.
 */
export class RoomForDeliveryUpdates1790000060000 implements MigrationInterface {
  name = 'RoomForDeliveryUpdates1790000060000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "webhook_deliveries" SET (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "webhook_deliveries" RESET (fillfactor)`);
  }
}
