import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIGURES = [
  'sessions',
  'conversations',
  'ended',
  'resolved',
  'self_served',
  'leads',
  'spoken_leads',
  'rated_1',
  'rated_2',
  'rated_3',
  'rated_4',
  'rated_5',
  'handoffs_requested',
  'handoffs_answered',
  'errors',
  'unanswered',
];
const COLUMNS = `${FIGURES.map((figure) => `"${figure}" integer NOT NULL DEFAULT 0`).join(', ')},
  "bins" smallint[] NOT NULL DEFAULT '{}', "bin_counts" integer[] NOT NULL DEFAULT '{}'`;

/** What is counted of a conversation. */
const FACTS: Record<string, (row: string) => string> = {
  sessions: () => 'true',
  conversations: (row) => `${row}.has_visitor_message`,
  ended: (row) => `${row}.has_visitor_message AND ${row}.status = 'ended'`,
  resolved: (row) => `${row}.has_visitor_message AND ${row}.is_resolved`,
  self_served: (row) =>
    `${row}.has_visitor_message AND ${row}.status = 'ended' AND NOT ${row}.had_handoff AND coalesce(${row}.rating, 5) > 2`,
  leads: (row) => `${row}.is_lead`,
  spoken_leads: (row) => `${row}.has_visitor_message AND ${row}.is_lead`,
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((stars) => [
      `rated_${stars}`,
      (row: string) => `coalesce(${row}.rating, 0) = ${stars}`,
    ]),
  ),
};
const FACT_NAMES = Object.keys(FACTS).join(', ');
const countOf = (row: string) => (fact: string) => `(${FACTS[fact]!(row)})::integer`;

const IS_OPEN = (row: string) => `${row}.status IN ('waiting_human', 'human')`;
export const IS_ANSWER = (row: string) => `${row}.role = 'assistant' AND ${row}.state = 'complete'`;

const quarterOf = (time: string) => `date_bin('15 minutes', ${time}, TIMESTAMPTZ '2000-01-01 00:00:00Z')`;

/** As core/analytics/histogram.ts had them when this was written; they must stay the same as those. */
const BOUNDS = [...new Set(Array.from({ length: 337 }, (_, index) => Math.round(2 ** (index / 16))))].join(
  ',',
);
const WAIT = 0;
const LATENCY = 1000;
const TTFT = 2000;
const binOf = (first: number, value: string) =>
  `(${first} + width_bucket(${value}, '{${BOUNDS}}'::integer[]))::smallint`;
const waitOf = (row: string) =>
  `greatest(0, floor(extract(epoch FROM ${row}.answered_at - ${row}.requested_at)))::integer`;

/** Figures of answers by the quarter of an hour in which they were given. @param sign -1 for those that are no more */
export const answersOf = (sign: '' | '-', from: string) => `
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, errors, unanswered, bins, bin_counts)
  SELECT gen_random_uuid(), org_id, bot_id, starts_at, ${sign}errors, ${sign}unanswered, bins, array_fill(${sign}1, ARRAY[cardinality(bins)])
  FROM (SELECT c.org_id, c.bot_id, ${quarterOf('m.created_at')} AS starts_at,
      count(*) FILTER (WHERE m.is_error) AS errors, count(*) FILTER (WHERE m.is_unanswered) AS unanswered,
      coalesce(array_agg(${binOf(LATENCY, 'm.latency_ms')}) FILTER (WHERE m.latency_ms IS NOT NULL AND NOT m.is_error), '{}')
        || coalesce(array_agg(${binOf(TTFT, 'm.ttft_ms')}) FILTER (WHERE m.ttft_ms IS NOT NULL AND NOT m.is_error), '{}') AS bins
    FROM ${from} AND ${IS_ANSWER('m')} GROUP BY 1, 2, 3) answers`;

const handoffsOf = (sign: '' | '-', from: string) => `
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, handoffs_requested, handoffs_answered, bins, bin_counts)
  SELECT gen_random_uuid(), org_id, bot_id, starts_at, ${sign}requested, ${sign}cardinality(bins), bins, array_fill(${sign}1, ARRAY[cardinality(bins)])
  FROM (SELECT h.org_id, h.bot_id, ${quarterOf('h.requested_at')} AS starts_at, count(*) AS requested,
      coalesce(array_agg(${binOf(WAIT, waitOf('h'))}) FILTER (WHERE h.answered_at IS NOT NULL), '{}') AS bins
    FROM ${from} GROUP BY 1, 2, 3) requests`;

const factsOf = (sign: '' | '-', from: string) => `
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, ${FACT_NAMES})
  SELECT gen_random_uuid(), org_id, bot_id, ${quarterOf('created_at')}, ${Object.keys(FACTS)
    .map((fact) => `${sign}sum(${countOf('c')(fact)})`)
    .join(', ')}
  FROM ${from} c GROUP BY org_id, bot_id, ${quarterOf('created_at')}`;

/** What conversations come to is summed up by quarters of hours, exactly, and is there to be read at once. */
export class Analytics1791000030000 implements MigrationInterface {
  name = 'Analytics1791000030000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#tables(runner);
    await this.#learn(runner);
    await this.#followHandoffs(runner);
    await this.#followConversations(runner);
    await this.#followAnswers(runner);
    await runner.query(factsOf('', 'conversations'));
    await runner.query(handoffsOf('', 'handoffs h'));
    await runner.query(
      answersOf('', 'messages m JOIN conversations c ON c.id = m.conversation_id WHERE true'),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['insertion', 'change', 'deletion'])
      await runner.query(`DROP TRIGGER tr_messages_analytics_${name} ON "messages"`);
    for (const name of ['had_handoff', 'handoffs', 'insertion', 'change', 'deletion'])
      await runner.query(`DROP TRIGGER tr_conversations_analytics_${name} ON "conversations"`);
    await runner.query(`DROP TABLE "analytics_rollups", "analytics_changes", "handoffs"`);
    await runner.query(`DROP FUNCTION note_begun_analytics, note_changed_analytics, note_deleted_analytics,
      note_changed_answers, note_deleted_answers, note_handoff_analytics, keep_had_handoff, keep_handoffs`);
    await runner.query(
      `ALTER TABLE "conversations" DROP COLUMN "had_handoff", DROP COLUMN "has_visitor_message"`,
    );
  }

  async #tables(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "analytics_changes" (
      "org_id" uuid NOT NULL, "id" uuid NOT NULL, "bot_id" uuid NOT NULL,
      "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, ${COLUMNS},
      CONSTRAINT "pk_analytics_changes" PRIMARY KEY ("org_id", "id"))`);
    await runner.query(`CREATE TABLE "analytics_rollups" (
      "subject_id" uuid NOT NULL, "span" text NOT NULL, "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "org_id" uuid NOT NULL, "bot_id" uuid, ${COLUMNS},
      CONSTRAINT "pk_analytics_rollups" PRIMARY KEY ("subject_id", "span", "starts_at"),
      CONSTRAINT "fk_analytics_rollups_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE,
      CONSTRAINT "fk_analytics_rollups_bot_id" FOREIGN KEY ("bot_id") REFERENCES "bots"("id") ON DELETE CASCADE)`);
    await runner.query(`CREATE INDEX "ix_analytics_rollups_org" ON "analytics_rollups" ("org_id")`);
    await runner.query(
      `CREATE INDEX "ix_analytics_rollups_bot" ON "analytics_rollups" ("bot_id") WHERE bot_id IS NOT NULL`,
    );
    await runner.query(`CREATE TABLE "handoffs" (
      "id" uuid NOT NULL, "org_id" uuid NOT NULL, "bot_id" uuid NOT NULL, "conversation_id" uuid NOT NULL,
      "requested_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "answered_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "pk_handoffs" PRIMARY KEY ("id"),
      CONSTRAINT "fk_handoffs_conversation_id" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE)`);
    await runner.query(
      `CREATE INDEX "ix_handoffs_conversation" ON "handoffs" ("conversation_id", "requested_at")`,
    );
  }

  /** What messages tell of the past. A request was answered if a member came next, before anything else became of it. */
  async #learn(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "conversations" ADD "has_visitor_message" boolean NOT NULL DEFAULT false,
      ADD "had_handoff" boolean NOT NULL DEFAULT false`);
    await runner.query(`UPDATE conversations SET has_visitor_message = known.was_written, had_handoff = known.was_handed_over
      FROM (
        SELECT conversation_id, bool_or(role = 'user') AS was_written,
          bool_or(role = 'agent' OR event ->> 'kind' IN ('handoff_requested', 'agent_joined')) IS TRUE AS was_handed_over
        FROM messages GROUP BY conversation_id
      ) known
      WHERE id = known.conversation_id AND (known.was_written OR known.was_handed_over)`);
    await runner.query(
      `UPDATE conversations SET had_handoff = true WHERE status IN ('waiting_human', 'human') AND NOT had_handoff`,
    );
    await runner.query(`
      INSERT INTO handoffs (id, org_id, bot_id, conversation_id, requested_at, answered_at)
      SELECT gen_random_uuid(), c.org_id, c.bot_id, c.id, note.created_at,
        CASE WHEN note.next_kind = 'agent_joined' THEN note.next_at END
      FROM (
        SELECT conversation_id, created_at, event ->> 'kind' AS kind,
          lead(event ->> 'kind') OVER ahead AS next_kind, lead(created_at) OVER ahead AS next_at
        FROM messages WHERE event ->> 'kind' IN ('handoff_requested', 'agent_joined', 'handoff_released', 'resolved', 'ended')
        WINDOW ahead AS (PARTITION BY conversation_id ORDER BY created_at, id)
      ) note JOIN conversations c ON c.id = note.conversation_id
      WHERE note.kind = 'handoff_requested'`);
  }

  async #followHandoffs(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION keep_had_handoff() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.had_handoff := true;
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_conversations_analytics_had_handoff BEFORE INSERT OR UPDATE OF status ON "conversations"
      FOR EACH ROW WHEN (${IS_OPEN('NEW')} AND NOT NEW.had_handoff) EXECUTE FUNCTION keep_had_handoff()`);
    // While it is open, the conversation and the request have the same time: a takeover before, or an older request, has another.
    await runner.query(`CREATE FUNCTION keep_handoffs() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT (${IS_OPEN('OLD')}) THEN
          INSERT INTO handoffs (id, org_id, bot_id, conversation_id, requested_at)
          VALUES (gen_random_uuid(), NEW.org_id, NEW.bot_id, NEW.id, coalesce(NEW.handoff_requested_at, now()));
        ELSE
          UPDATE handoffs SET requested_at = coalesce(NEW.handoff_requested_at, requested_at),
            answered_at = CASE WHEN NEW.status = 'human' THEN coalesce(answered_at, NEW.assigned_at, now()) ELSE answered_at END
          WHERE conversation_id = NEW.id AND requested_at = OLD.handoff_requested_at;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_conversations_analytics_handoffs AFTER UPDATE OF status, handoff_requested_at ON "conversations"
      FOR EACH ROW WHEN (NEW.status = 'waiting_human' AND NOT (${IS_OPEN('OLD')})
        OR NEW.status = 'human' AND OLD.status = 'waiting_human'
        OR ${IS_OPEN('OLD')} AND ${IS_OPEN('NEW')} AND OLD.handoff_requested_at <> NEW.handoff_requested_at)
      EXECUTE FUNCTION keep_handoffs()`);
    await runner.query(`CREATE FUNCTION note_handoff_analytics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          ${handoffsOf('-', '(SELECT OLD.*) h')};
        END IF;
        IF TG_OP <> 'DELETE' THEN
          ${handoffsOf('', '(SELECT NEW.*) h')};
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_handoffs_analytics AFTER INSERT OR UPDATE OR DELETE ON "handoffs" FOR EACH ROW
      EXECUTE FUNCTION note_handoff_analytics()`);
  }

  async #followConversations(runner: QueryRunner): Promise<void> {
    const facts = Object.keys(FACTS);
    await runner.query(`CREATE FUNCTION note_begun_analytics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${factsOf('', 'begun')};
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_conversations_analytics_insertion AFTER INSERT ON "conversations"
      REFERENCING NEW TABLE AS begun FOR EACH STATEMENT EXECUTE FUNCTION note_begun_analytics()`);
    await runner.query(`CREATE FUNCTION note_changed_analytics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.created_at = NEW.created_at THEN
          INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, ${FACT_NAMES})
          VALUES (gen_random_uuid(), NEW.org_id, NEW.bot_id, ${quarterOf('NEW.created_at')},
            ${facts.map((fact) => `${countOf('NEW')(fact)} - ${countOf('OLD')(fact)}`).join(',\n            ')});
        ELSE
          ${factsOf('-', '(SELECT OLD.*)')};
          ${factsOf('', '(SELECT NEW.*)')};
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_conversations_analytics_change
      AFTER UPDATE OF created_at, status, is_resolved, is_lead, rating, had_handoff, has_visitor_message ON "conversations"
      FOR EACH ROW
      WHEN (OLD.created_at <> NEW.created_at
        OR ${facts.map((fact) => `(${FACTS[fact]!('OLD')}) <> (${FACTS[fact]!('NEW')})`).join('\n        OR ')})
      EXECUTE FUNCTION note_changed_analytics()`);
    // Before the row goes, as its messages go with it.
    await runner.query(`CREATE FUNCTION note_deleted_analytics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${factsOf('-', '(SELECT OLD.*)')};
        ${answersOf('-', '(SELECT OLD.*) c JOIN messages m ON m.conversation_id = c.id WHERE true')};
        RETURN OLD;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_conversations_analytics_deletion BEFORE DELETE ON "conversations" FOR EACH ROW
      EXECUTE FUNCTION note_deleted_analytics()`);
  }

  /**
   * Answers that finish are noted by who finishes them. Of those that are removed, who goes with the conversation was counted out
   * with it, and finds none here.
   */
  async #followAnswers(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION note_changed_answers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          ${answersOf('-', '(SELECT OLD.*) m JOIN conversations c ON c.id = m.conversation_id WHERE true')};
        END IF;
        ${answersOf('', '(SELECT NEW.*) m JOIN conversations c ON c.id = m.conversation_id WHERE true')};
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_messages_analytics_insertion AFTER INSERT ON "messages" FOR EACH ROW
      WHEN (${IS_ANSWER('NEW')}) EXECUTE FUNCTION note_changed_answers()`);
    await runner.query(`CREATE TRIGGER tr_messages_analytics_change
      AFTER UPDATE OF created_at, latency_ms, ttft_ms, is_error, is_unanswered ON "messages" FOR EACH ROW
      WHEN (${IS_ANSWER('OLD')}) EXECUTE FUNCTION note_changed_answers()`);
    await runner.query(`CREATE FUNCTION note_deleted_answers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${answersOf('-', 'gone m JOIN conversations c ON c.id = m.conversation_id WHERE true')};
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_messages_analytics_deletion AFTER DELETE ON "messages"
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_answers()`);
  }
}
