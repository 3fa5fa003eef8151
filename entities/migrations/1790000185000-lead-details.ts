import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A conversation knows what its form has given, so that a refusal takes back that and no more. Of older forms it counts
 * as given what the contact has now.
 */
export class LeadDetails1790000185000 implements MigrationInterface {
  name = 'LeadDetails1790000185000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "conversations" ADD "lead_details" jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`UPDATE "conversations" c SET lead_details = jsonb_strip_nulls(jsonb_build_object(
        'name', k.name, 'email', k.email, 'phone', k.phone, 'country', k.country, 'custom_fields', k.custom_fields))
      FROM "contacts" k
      WHERE c.is_lead AND k.deleted_at IS NULL AND (k.id = c.contact_id
        OR c.contact_id IS NULL AND k.identity IS NULL AND k.bot_id = c.bot_id AND k.visitor_id = c.visitor_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "conversations" DROP COLUMN "lead_details"`);
  }
}
