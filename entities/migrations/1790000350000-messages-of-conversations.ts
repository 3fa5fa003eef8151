import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A message goes with its conversation, and that with its workspace: a reference of the message's own to the workspace
 * guards nothing more, and checking it, with its index, was a tenth of what writing a turn costs.
 */
export class MessagesOfConversations1790000350000 implements MigrationInterface {
  name = 'MessagesOfConversations1790000350000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "messages" DROP CONSTRAINT "fk_messages_org_id"`);
    await queryRunner.query(`DROP INDEX "ix_messages_org_id"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX "ix_messages_org_id" ON "messages" ("org_id")`);
    await queryRunner.query(
      `ALTER TABLE "messages" ADD CONSTRAINT "fk_messages_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }
}
