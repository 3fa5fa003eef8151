import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each turn and each answer counts on its conversation; with room on its page that touches none of the many indexes. */
export class RoomForConversationUpdates1790000330000 implements MigrationInterface {
  name = 'RoomForConversationUpdates1790000330000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "conversations" SET (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "conversations" RESET (fillfactor)`);
  }
}
