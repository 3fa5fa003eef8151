import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIGURES = `
  "messages" integer NOT NULL DEFAULT '0',
  "input_tokens" bigint NOT NULL DEFAULT '0',
  "output_tokens" bigint NOT NULL DEFAULT '0',
  "cost_usd" numeric(20,8) NOT NULL DEFAULT '0',
  "alerts" integer NOT NULL DEFAULT '0'`;

/** What is used, by day, bot and model; filled with what is known of the past. */
export class Usage1791000020000 implements MigrationInterface {
  name = 'Usage1791000020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "usage_changes" (
      "payer_id" uuid NOT NULL, "day" date NOT NULL, "id" uuid NOT NULL, "org_id" uuid NOT NULL, "bot_id" uuid, "model" text, ${FIGURES},
      CONSTRAINT "pk_usage_changes" PRIMARY KEY ("payer_id", "day", "id"))`);
    await runner.query(`CREATE TABLE "usage_days" (
      "id" uuid NOT NULL, "payer_id" uuid NOT NULL, "org_id" uuid NOT NULL, "day" date NOT NULL, "bot_id" uuid, "model" text, ${FIGURES},
      CONSTRAINT "pk_usage_days" PRIMARY KEY ("id"),
      CONSTRAINT "fk_usage_days_payer_id" FOREIGN KEY ("payer_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE INDEX "ix_usage_days_payer" ON "usage_days" ("payer_id", "day")`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_usage_days" ON "usage_days" ("org_id", "day", "bot_id", "model") NULLS NOT DISTINCT`,
    );
    await runner.query(`CREATE TABLE "usage_totals" (
      "id" uuid NOT NULL, "payer_id" uuid NOT NULL, "org_id" uuid NOT NULL, "day" date NOT NULL, "model" text, ${FIGURES},
      CONSTRAINT "pk_usage_totals" PRIMARY KEY ("id"),
      CONSTRAINT "fk_usage_totals_payer_id" FOREIGN KEY ("payer_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE INDEX "ix_usage_totals_payer" ON "usage_totals" ("payer_id", "day")`);
    await runner.query(
      `CREATE UNIQUE INDEX "uq_usage_totals" ON "usage_totals" ("org_id", "day", "model") NULLS NOT DISTINCT`,
    );
    await this.#planMonths(runner);
    await this.#fill(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE "plan_notices", "plan_months", "usage_totals", "usage_days", "usage_changes"`,
    );
  }

  async #planMonths(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "plan_months" (
      "payer_id" uuid NOT NULL, "month" date NOT NULL,
      "messages" integer NOT NULL DEFAULT '0', "paid_messages" integer NOT NULL DEFAULT '0',
      "recount_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "pk_plan_months" PRIMARY KEY ("payer_id", "month"),
      CONSTRAINT "fk_plan_months_payer_id" FOREIGN KEY ("payer_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE TABLE "plan_notices" (
      "payer_id" uuid NOT NULL, "month" date NOT NULL, "message_limit" integer NOT NULL, "percent" integer NOT NULL,
      CONSTRAINT "pk_plan_notices" PRIMARY KEY ("payer_id", "month", "message_limit", "percent"),
      CONSTRAINT "fk_plan_notices_payer_id" FOREIGN KEY ("payer_id") REFERENCES "orgs"("id") ON DELETE CASCADE)`);
  }

  /**
   * Turns on their days, with the models that answered them, and what answers have used. What only the months of bots and the
   * totals of conversations have left is put on the first day of the month, and on the last of the conversation, with no model.
   */
  async #fill(runner: QueryRunner): Promise<void> {
    await runner.query(`
      WITH turns AS (
        SELECT c.org_id, (turn.created_at AT TIME ZONE 'UTC')::date AS day, c.bot_id, answer.model, count(*)::int AS messages
        FROM messages answer
        JOIN messages turn ON turn.id = answer.reply_to_id
        JOIN conversations c ON c.id = answer.conversation_id
        WHERE answer.role = 'assistant' GROUP BY 1, 2, 3, 4
      ), of_months AS (
        SELECT org_id, bot_id, date_trunc('month', day)::date AS month, sum(messages)::int AS messages FROM turns GROUP BY 1, 2, 3
      ), lost AS (
        SELECT u.org_id, u.month AS day, u.bot_id, u.messages - coalesce(m.messages, 0) AS messages
        FROM monthly_usage u LEFT JOIN of_months m ON m.org_id = u.org_id AND m.bot_id = u.bot_id AND m.month = u.month
      ), answered AS (
        SELECT c.id, c.org_id, (a.created_at AT TIME ZONE 'UTC')::date AS day, c.bot_id, a.model,
          sum(a.input_tokens)::bigint AS input, sum(a.output_tokens)::bigint AS output, sum(a.cost_usd) AS cost
        FROM messages a JOIN conversations c ON c.id = a.conversation_id
        WHERE a.role = 'assistant' AND (a.input_tokens > 0 OR a.output_tokens > 0 OR a.cost_usd > 0) GROUP BY 1, 2, 3, 4, 5
      ), besides AS (
        SELECT c.org_id, (coalesce(c.ended_at, c.last_message_at, c.created_at) AT TIME ZONE 'UTC')::date AS day, c.bot_id,
          greatest(0, c.total_input_tokens - coalesce(sum(a.input), 0))::bigint AS input,
          greatest(0, c.total_output_tokens - coalesce(sum(a.output), 0))::bigint AS output,
          greatest(0, c.total_cost_usd - coalesce(sum(a.cost), 0)) AS cost
        FROM conversations c LEFT JOIN answered a ON a.id = c.id
        WHERE c.total_input_tokens > 0 OR c.total_output_tokens > 0 OR c.total_cost_usd > 0 GROUP BY c.id
      ), used AS (
        SELECT org_id, day, bot_id, model, messages, 0::bigint AS input, 0::bigint AS output, 0::numeric AS cost FROM turns
        UNION ALL SELECT org_id, day, bot_id, NULL, messages, 0, 0, 0 FROM lost WHERE messages > 0
        UNION ALL SELECT org_id, day, bot_id, model, 0, input, output, coalesce(cost, 0) FROM answered
        UNION ALL SELECT org_id, day, bot_id, NULL, 0, input, output, cost FROM besides WHERE input > 0 OR output > 0 OR cost > 0
      )
      INSERT INTO usage_days (id, payer_id, org_id, day, bot_id, model, messages, input_tokens, output_tokens, cost_usd)
      SELECT gen_random_uuid(), o.payer_id, o.id, day, bot_id, model, sum(messages), sum(input), sum(output), sum(cost)
      FROM used JOIN orgs o ON o.id = used.org_id GROUP BY o.id, day, bot_id, model`);
    await runner.query(`
      INSERT INTO usage_totals (id, payer_id, org_id, day, model, messages, input_tokens, output_tokens, cost_usd)
      SELECT gen_random_uuid(), payer_id, org_id, day, model, sum(messages), sum(input_tokens), sum(output_tokens), sum(cost_usd)
      FROM usage_days GROUP BY payer_id, org_id, day, model`);
  }
}
