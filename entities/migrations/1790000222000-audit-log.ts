import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No key refers to it and it refers to nothing but the workspace: it outlives what it tells of. */
export class AuditLog1790000222000 implements MigrationInterface {
  name = 'AuditLog1790000222000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "audit_events" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "user_id" uuid NOT NULL,
        "key_id" uuid,
        "operation" text NOT NULL,
        "resource_type" text NOT NULL,
        "resource_id" text,
        "changed_fields" text array NOT NULL,
        "ip" text NOT NULL,
        "user_agent" text,
        "request_id" text NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_audit_events" PRIMARY KEY ("id"),
        CONSTRAINT "fk_audit_events_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE INDEX "ix_audit_events_org_created" ON "audit_events" ("org_id", "created_at", "id")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "audit_events"`);
  }
}
