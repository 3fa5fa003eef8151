import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Avatars1790000110000 implements MigrationInterface {
  name = 'Avatars1790000110000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "avatars" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid NOT NULL,
        "mime_type" text NOT NULL,
        "size_bytes" integer NOT NULL,
        "storage_key" text NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_avatars" PRIMARY KEY ("id"),
        CONSTRAINT "fk_avatars_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
        CONSTRAINT "fk_avatars_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX "uq_avatars_bot_id" ON "avatars" ("bot_id")`);
    await queryRunner.query(`CREATE INDEX "ix_avatars_org_id" ON "avatars" ("org_id")`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "avatars"`);
  }
}
