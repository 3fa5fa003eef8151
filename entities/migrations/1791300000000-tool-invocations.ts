import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log of calls of the MCP server's tools. */
export class ToolInvocations1791300000000 implements MigrationInterface {
  name = 'ToolInvocations1791300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "tool_invocations" (
        "id" uuid NOT NULL, "org_id" uuid NOT NULL, "api_key_id" uuid NOT NULL, "tool" text NOT NULL, "outcome" text NOT NULL,
        "error_code" text, "arguments" jsonb NOT NULL DEFAULT '{}', "key_id" uuid, "duration_ms" integer NOT NULL,
        "client" text, "request_id" text NOT NULL, "created_at" timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT "pk_tool_invocations" PRIMARY KEY ("id"),
        CONSTRAINT "fk_tool_invocations_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs" ("id") ON DELETE CASCADE)`);
    await runner.query(
      `CREATE INDEX "ix_tool_invocations_org_created" ON "tool_invocations" ("org_id", "created_at", "id")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "tool_invocations"`);
  }
}
