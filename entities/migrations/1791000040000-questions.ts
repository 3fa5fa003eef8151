import type { MigrationInterface, QueryRunner } from 'typeorm';

const TIME = 'TIMESTAMP(3) WITH TIME ZONE NOT NULL';
const COUNTS = '"asked" integer NOT NULL, "unanswered" integer NOT NULL';
const REFERENCE = (table: string, column: string, target: string) =>
  `CONSTRAINT "fk_${table}_${column}" FOREIGN KEY ("${column}") REFERENCES ${target} ON DELETE CASCADE`;
/** What the ids of messages begin with that were made then, as UUIDv7 say it. */
const ID_OF_TIME = (time: string) =>
  `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/** What visitors ask, in clusters. Answers that failed count as none from now on, those of before included. */
export class Questions1791000040000 implements MigrationInterface {
  name = 'Questions1791000040000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#createClusters(runner);
    await this.#createCounts(runner);
    await this.#createQueue(runner);
    await runner.query(
      `UPDATE messages SET is_unanswered = true WHERE is_error AND NOT is_unanswered AND role = 'assistant'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['answer', 'answered'])
      await runner.query(`DROP TRIGGER tr_messages_question_${name} ON "messages"`);
    for (const table of ['backfill', 'queue', 'terms', 'deltas', 'days', 'members', 'clusters'])
      await runner.query(`DROP TABLE "question_${table}"`);
    await runner.query(`DROP FUNCTION queue_question`);
    await runner.query(`DROP FUNCTION note_deleted_question`);
  }

  async #createClusters(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "question_clusters" (
      "id" uuid NOT NULL, "org_id" uuid NOT NULL, "bot_id" uuid NOT NULL, "created_at" ${TIME} DEFAULT now(),
      CONSTRAINT "pk_question_clusters" PRIMARY KEY ("id"), ${REFERENCE('question_clusters', 'bot_id', '"bots"("id")')})`);
    await runner.query(`CREATE INDEX "ix_question_clusters_bot" ON "question_clusters" ("bot_id")`);
    await runner.query(`CREATE TABLE "question_members" (
      "message_id" uuid NOT NULL, "org_id" uuid NOT NULL, "cluster_id" uuid NOT NULL, "words_id" uuid NOT NULL,
      "conversation_id" uuid NOT NULL, "asked_at" ${TIME}, "is_unanswered" boolean NOT NULL DEFAULT false, "is_pattern" boolean NOT NULL DEFAULT false,
      CONSTRAINT "pk_question_members" PRIMARY KEY ("message_id"),
      ${REFERENCE('question_members', 'message_id', '"messages"("id")')},
      ${REFERENCE('question_members', 'cluster_id', '"question_clusters"("id")')})`);
    await runner.query(
      `CREATE INDEX "ix_question_members_cluster" ON "question_members" ("cluster_id", "asked_at", "message_id")`,
    );
    await runner.query(
      `CREATE INDEX "ix_question_members_words" ON "question_members" ("words_id", "cluster_id")`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "uq_question_members_pattern" ON "question_members" ("cluster_id") WHERE is_pattern`,
    );
    await runner.query(`CREATE TABLE "question_terms" (
      "bot_id" uuid NOT NULL, "lexeme" text COLLATE "C" NOT NULL, "lexeme_count" smallint NOT NULL,
      "message_id" uuid NOT NULL, "is_name" boolean NOT NULL DEFAULT false,
      CONSTRAINT "pk_question_terms" PRIMARY KEY ("bot_id", "lexeme", "lexeme_count", "message_id"),
      ${REFERENCE('question_terms', 'message_id', '"question_members"("message_id")')})`);
    await runner.query(`CREATE INDEX "ix_question_terms_message" ON "question_terms" ("message_id")`);
  }

  async #createCounts(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "question_days" (
      "cluster_id" uuid NOT NULL, "day" date NOT NULL, "org_id" uuid NOT NULL, "bot_id" uuid NOT NULL, ${COUNTS},
      CONSTRAINT "pk_question_days" PRIMARY KEY ("cluster_id", "day"),
      ${REFERENCE('question_days', 'cluster_id', '"question_clusters"("id")')})`);
    await runner.query(`CREATE INDEX "ix_question_days_org" ON "question_days" ("org_id", "day")`);
    await runner.query(`CREATE TABLE "question_deltas" (
      "id" uuid NOT NULL, "org_id" uuid NOT NULL, "bot_id" uuid NOT NULL, "cluster_id" uuid NOT NULL,
      "day" date NOT NULL, ${COUNTS}, CONSTRAINT "pk_question_deltas" PRIMARY KEY ("id"),
      ${REFERENCE('question_deltas', 'cluster_id', '"question_clusters"("id")')})`);
    await runner.query(`CREATE INDEX "ix_question_deltas_cluster" ON "question_deltas" ("cluster_id")`);
    await runner.query(`CREATE INDEX "ix_question_deltas_org" ON "question_deltas" ("org_id", "day")`);
    // A member that goes with its cluster leaves no delta: there is nothing to count any more.
    await runner.query(`CREATE FUNCTION note_deleted_question() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO question_deltas (id, org_id, bot_id, cluster_id, day, asked, unanswered)
        SELECT gen_random_uuid(), c.org_id, c.bot_id, c.id, (OLD.asked_at AT TIME ZONE 'UTC')::date, -1, -OLD.is_unanswered::int
        FROM question_clusters c WHERE c.id = OLD.cluster_id;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_question_members_deletion AFTER DELETE ON "question_members" FOR EACH ROW
      EXECUTE FUNCTION note_deleted_question()`);
  }

  async #createQueue(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "question_queue" (
      "message_id" uuid NOT NULL, CONSTRAINT "pk_question_queue" PRIMARY KEY ("message_id"))`);
    await runner.query(`CREATE FUNCTION queue_question() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO question_queue (message_id) VALUES (NEW.reply_to_id) ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_messages_question_answer AFTER INSERT ON "messages" FOR EACH ROW
      WHEN (NEW.reply_to_id IS NOT NULL AND NEW.state = 'complete') EXECUTE FUNCTION queue_question()`);
    await runner.query(`CREATE TRIGGER tr_messages_question_answered AFTER UPDATE OF state ON "messages" FOR EACH ROW
      WHEN (NEW.reply_to_id IS NOT NULL AND NEW.state = 'complete' AND OLD.state <> NEW.state) EXECUTE FUNCTION queue_question()`);
    await runner.query(`CREATE TABLE "question_backfill" (
      "after_id" uuid NOT NULL, "since" ${TIME}, "until" ${TIME}, CONSTRAINT "pk_question_backfill" PRIMARY KEY ("after_id"))`);
    // The triggers have waited for everybody who was writing messages: what is older is committed.
    await runner.query(`INSERT INTO question_backfill (after_id, since, until)
      SELECT ${ID_OF_TIME('since')}, since, clock_timestamp()
      FROM (SELECT now() - interval '92 days' AS since) first_day WHERE EXISTS (SELECT FROM messages)`);
  }
}
