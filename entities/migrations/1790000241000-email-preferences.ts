import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people do not want to be sent, and where nothing can be sent. */
export class EmailPreferences1790000241000 implements MigrationInterface {
  name = 'EmailPreferences1790000241000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "email_preferences" (
        "user_id" uuid NOT NULL,
        "turned_off" text array NOT NULL,
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_email_preferences" PRIMARY KEY ("user_id"),
        CONSTRAINT "fk_email_preferences_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id")
          ON DELETE CASCADE ON UPDATE NO ACTION
      )`);
    await runner.query(`CREATE TABLE "refused_addresses" (
        "address" text NOT NULL,
        "reason" text NOT NULL,
        "refused_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_refused_addresses" PRIMARY KEY ("address")
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "refused_addresses"`);
    await runner.query(`DROP TABLE "email_preferences"`);
  }
}
