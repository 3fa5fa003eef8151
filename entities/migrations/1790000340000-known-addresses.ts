import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From where people sign in is known for longer than their sessions last. */
export class KnownAddresses1790000340000 implements MigrationInterface {
  name = 'KnownAddresses1790000340000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "known_addresses" (
      "user_id" uuid NOT NULL,
      "ip" text NOT NULL,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "pk_known_addresses" PRIMARY KEY ("user_id", "ip"),
      CONSTRAINT "fk_known_addresses_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id")
        ON DELETE CASCADE ON UPDATE NO ACTION)`);
    await runner.query(`CREATE INDEX "ix_known_addresses_expires_at" ON "known_addresses" ("expires_at")`);
    await runner.query(`INSERT INTO "known_addresses" ("user_id", "ip", "expires_at")
      SELECT "user_id", "ip", max("ends_at") FROM "sessions" WHERE "ip" IS NOT NULL GROUP BY "user_id", "ip"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "known_addresses"`);
  }
}
