import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Conversations that a bot leads by plan, and their graphs as they were. */
export class Flows1790000900000 implements MigrationInterface {
  name = 'Flows1790000900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "flows" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "bot_id" uuid NOT NULL,
        "name" text NOT NULL,
        "description" text,
        "trigger" text,
        "trigger_key" text,
        "is_active" boolean NOT NULL DEFAULT false,
        "revision" integer NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        "activated_at" TIMESTAMP(3) WITH TIME ZONE,
        CONSTRAINT "pk_flows" PRIMARY KEY ("id"),
        CONSTRAINT "fk_flows_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
        CONSTRAINT "fk_flows_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "ix_flows_org_created" ON "flows" ("org_id", "created_at", "id")`);
    await runner.query(`CREATE INDEX "ix_flows_bot_id" ON "flows" ("bot_id")`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_flows_active_trigger" ON "flows" ("bot_id", "trigger_key") WHERE is_active`,
    );
    await runner.query(`CREATE TABLE "flow_revisions" (
        "id" uuid NOT NULL,
        "org_id" uuid NOT NULL,
        "flow_id" uuid NOT NULL,
        "revision" integer NOT NULL,
        "graph" jsonb NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "pk_flow_revisions" PRIMARY KEY ("id"),
        CONSTRAINT "fk_flow_revisions_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
        CONSTRAINT "fk_flow_revisions_flow_id" FOREIGN KEY ("flow_id") REFERENCES "flows"("id") ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_flow_revisions_flow_revision" ON "flow_revisions" ("flow_id", "revision")`,
    );
    await runner.query(`CREATE INDEX "ix_flow_revisions_org_id" ON "flow_revisions" ("org_id")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "flow_revisions"`);
    await runner.query(`DROP TABLE "flows"`);
  }
}
