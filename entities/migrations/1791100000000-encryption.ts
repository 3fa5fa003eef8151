import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE "org_encryption" (
     "org_id" uuid NOT NULL, "mode" text NOT NULL DEFAULT 'platform', "key_version" integer,
     "sealed_since_version" integer NOT NULL DEFAULT '0', "switched_at" TIMESTAMP(3) WITH TIME ZONE,
     "is_sealing" boolean NOT NULL DEFAULT false, "cursor" jsonb, "resealed_rows" integer NOT NULL DEFAULT '0',
     "service_failure" text, "service_failed_at" TIMESTAMP(3) WITH TIME ZONE,
     CONSTRAINT "pk_org_encryption" PRIMARY KEY ("org_id"),
     CONSTRAINT "fk_org_encryption_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs" ("id") ON DELETE CASCADE)`,
  `CREATE INDEX "ix_org_encryption_sealing" ON "org_encryption" ("org_id") WHERE is_sealing`,
  `CREATE TABLE "key_services" (
     "org_id" uuid NOT NULL, "config" jsonb NOT NULL, "sealed_credentials" text NOT NULL,
     "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "pk_key_services" PRIMARY KEY ("org_id"),
     CONSTRAINT "fk_key_services_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs" ("id") ON DELETE CASCADE)`,
  `CREATE TABLE "workspace_keys" (
     "id" uuid NOT NULL, "org_id" uuid NOT NULL, "version" integer NOT NULL, "root" text NOT NULL, "wrapped_key" text NOT NULL,
     "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "pk_workspace_keys" PRIMARY KEY ("id"),
     CONSTRAINT "fk_workspace_keys_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs" ("id") ON DELETE CASCADE)`,
  `CREATE UNIQUE INDEX "uq_workspace_keys_version" ON "workspace_keys" ("org_id", "version")`,
  `CREATE TABLE "data_keys" (
     "id" uuid NOT NULL, "org_id" uuid NOT NULL, "workspace_key_id" uuid NOT NULL, "made_version" integer NOT NULL,
     "month" date NOT NULL, "wrapped_key" text NOT NULL, "commitment" text NOT NULL,
     "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "pk_data_keys" PRIMARY KEY ("id"),
     CONSTRAINT "fk_data_keys_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs" ("id") ON DELETE CASCADE,
     CONSTRAINT "fk_data_keys_workspace_key_id" FOREIGN KEY ("workspace_key_id") REFERENCES "workspace_keys" ("id") ON DELETE CASCADE)`,
  `CREATE UNIQUE INDEX "uq_data_keys_month" ON "data_keys" ("org_id", "made_version", "month")`,
  `CREATE INDEX "ix_data_keys_workspace_key" ON "data_keys" ("workspace_key_id")`,
];

/** Keys of workspaces, and how their content is sealed. */
export class Encryption1791100000000 implements MigrationInterface {
  name = 'Encryption1791100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['data_keys', 'workspace_keys', 'key_services', 'org_encryption'])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
