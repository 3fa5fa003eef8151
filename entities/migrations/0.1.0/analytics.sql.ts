import type { FeatureSchema } from './feature-schema.ts';

export const ANALYTICS: FeatureSchema = {
  tables: `
CREATE TABLE analytics_changes (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  bot_id uuid NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  sessions integer NOT NULL DEFAULT 0,
  conversations integer NOT NULL DEFAULT 0,
  ended integer NOT NULL DEFAULT 0,
  resolved integer NOT NULL DEFAULT 0,
  self_served integer NOT NULL DEFAULT 0,
  leads integer NOT NULL DEFAULT 0,
  spoken_leads integer NOT NULL DEFAULT 0,
  rated_1 integer NOT NULL DEFAULT 0,
  rated_2 integer NOT NULL DEFAULT 0,
  rated_3 integer NOT NULL DEFAULT 0,
  rated_4 integer NOT NULL DEFAULT 0,
  rated_5 integer NOT NULL DEFAULT 0,
  handoffs_requested integer NOT NULL DEFAULT 0,
  handoffs_answered integer NOT NULL DEFAULT 0,
  errors integer NOT NULL DEFAULT 0,
  unanswered integer NOT NULL DEFAULT 0,
  bins smallint[] NOT NULL DEFAULT '{}'::smallint[],
  bin_counts integer[] NOT NULL DEFAULT '{}'::integer[],
  CONSTRAINT pk_analytics_changes PRIMARY KEY (org_id, id)
);

CREATE TABLE analytics_rollups (
  subject_id uuid NOT NULL,
  span text NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid,
  sessions integer NOT NULL DEFAULT 0,
  conversations integer NOT NULL DEFAULT 0,
  ended integer NOT NULL DEFAULT 0,
  resolved integer NOT NULL DEFAULT 0,
  self_served integer NOT NULL DEFAULT 0,
  leads integer NOT NULL DEFAULT 0,
  spoken_leads integer NOT NULL DEFAULT 0,
  rated_1 integer NOT NULL DEFAULT 0,
  rated_2 integer NOT NULL DEFAULT 0,
  rated_3 integer NOT NULL DEFAULT 0,
  rated_4 integer NOT NULL DEFAULT 0,
  rated_5 integer NOT NULL DEFAULT 0,
  handoffs_requested integer NOT NULL DEFAULT 0,
  handoffs_answered integer NOT NULL DEFAULT 0,
  errors integer NOT NULL DEFAULT 0,
  unanswered integer NOT NULL DEFAULT 0,
  bins smallint[] NOT NULL DEFAULT '{}'::smallint[],
  bin_counts integer[] NOT NULL DEFAULT '{}'::integer[],
  CONSTRAINT pk_analytics_rollups PRIMARY KEY (subject_id, span, starts_at)
);
CREATE INDEX ix_analytics_rollups_bot ON analytics_rollups (bot_id) WHERE bot_id IS NOT NULL;
CREATE INDEX ix_analytics_rollups_org ON analytics_rollups (org_id);

CREATE TABLE handoffs (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  answered_at timestamptz(3),
  CONSTRAINT pk_handoffs PRIMARY KEY (id)
);
CREATE INDEX ix_handoffs_conversation ON handoffs (conversation_id, requested_at);

CREATE TABLE question_clusters (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  key_id uuid,
  CONSTRAINT pk_question_clusters PRIMARY KEY (id)
);
CREATE INDEX ix_question_clusters_bot ON question_clusters (bot_id);
CREATE INDEX ix_question_clusters_org ON question_clusters (org_id, id);

CREATE TABLE question_days (
  cluster_id uuid NOT NULL,
  day date NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  asked integer NOT NULL,
  unanswered integer NOT NULL,
  CONSTRAINT pk_question_days PRIMARY KEY (cluster_id, day)
);
CREATE INDEX ix_question_days_org ON question_days (org_id, day) INCLUDE (bot_id, cluster_id, asked, unanswered);

CREATE TABLE question_deltas (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  bot_id uuid NOT NULL,
  cluster_id uuid NOT NULL,
  day date NOT NULL,
  asked integer NOT NULL,
  unanswered integer NOT NULL,
  CONSTRAINT pk_question_deltas PRIMARY KEY (id)
);
CREATE INDEX ix_question_deltas_cluster ON question_deltas (cluster_id);
CREATE INDEX ix_question_deltas_org ON question_deltas (org_id, day);

CREATE TABLE question_members (
  message_id uuid NOT NULL,
  org_id uuid NOT NULL,
  cluster_id uuid NOT NULL,
  words_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  asked_at timestamptz(3) NOT NULL,
  is_unanswered boolean NOT NULL DEFAULT false,
  is_pattern boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_question_members PRIMARY KEY (message_id)
);
CREATE INDEX ix_question_members_cluster ON question_members (cluster_id, asked_at, message_id);
CREATE INDEX ix_question_members_words ON question_members (words_id, cluster_id);
CREATE UNIQUE INDEX uq_question_members_pattern ON question_members (cluster_id) WHERE is_pattern;

CREATE TABLE question_queue (
  message_id uuid NOT NULL,
  CONSTRAINT pk_question_queue PRIMARY KEY (message_id)
);

CREATE TABLE question_terms (
  bot_id uuid NOT NULL,
  lexeme text NOT NULL COLLATE "C",
  lexeme_count smallint NOT NULL,
  message_id uuid NOT NULL,
  is_name boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_question_terms PRIMARY KEY (bot_id, lexeme, lexeme_count, message_id)
);
CREATE INDEX ix_question_terms_message ON question_terms (message_id);
`,

  references: `
ALTER TABLE analytics_rollups
  ADD CONSTRAINT fk_analytics_rollups_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_analytics_rollups_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE handoffs
  ADD CONSTRAINT fk_handoffs_conversation_id FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE;

ALTER TABLE question_clusters
  ADD CONSTRAINT fk_question_clusters_bot_id FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE;

ALTER TABLE question_days
  ADD CONSTRAINT fk_question_days_cluster_id FOREIGN KEY (cluster_id) REFERENCES question_clusters(id) ON DELETE CASCADE;

ALTER TABLE question_deltas
  ADD CONSTRAINT fk_question_deltas_cluster_id FOREIGN KEY (cluster_id) REFERENCES question_clusters(id) ON DELETE CASCADE;

ALTER TABLE question_members
  ADD CONSTRAINT fk_question_members_cluster_id FOREIGN KEY (cluster_id) REFERENCES question_clusters(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_question_members_message_id FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE;

ALTER TABLE question_terms
  ADD CONSTRAINT fk_question_terms_message_id FOREIGN KEY (message_id) REFERENCES question_members(message_id) ON DELETE CASCADE;
`,

  functions: `
CREATE FUNCTION keep_had_handoff() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.had_handoff := true;
        RETURN NEW;
      END $$;
CREATE TRIGGER tr_conversations_analytics_had_handoff BEFORE INSERT OR UPDATE OF status ON conversations
  FOR EACH ROW WHEN (NEW.status IN ('waiting_human', 'human') AND (NOT NEW.had_handoff))
  EXECUTE FUNCTION keep_had_handoff();

-- An open request has the time of its conversation; another time means an earlier takeover or request.
CREATE FUNCTION keep_handoffs() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT (OLD.status IN ('waiting_human', 'human')) THEN
          INSERT INTO handoffs (id, org_id, bot_id, conversation_id, requested_at)
          VALUES (gen_random_uuid(), NEW.org_id, NEW.bot_id, NEW.id, coalesce(NEW.handoff_requested_at, now()));
        ELSE
          UPDATE handoffs SET requested_at = coalesce(NEW.handoff_requested_at, requested_at),
            answered_at = CASE WHEN NEW.status = 'human' THEN coalesce(answered_at, NEW.assigned_at, now()) ELSE answered_at END
          WHERE conversation_id = NEW.id AND requested_at = OLD.handoff_requested_at;
        END IF;
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_conversations_analytics_handoffs AFTER UPDATE OF status, handoff_requested_at ON conversations
  FOR EACH ROW WHEN (
    (NEW.status = 'waiting_human' AND (NOT OLD.status IN ('waiting_human', 'human')))
    OR (NEW.status = 'human' AND OLD.status = 'waiting_human')
    OR (OLD.status IN ('waiting_human', 'human') AND NEW.status IN ('waiting_human', 'human') AND OLD.handoff_requested_at <> NEW.handoff_requested_at)
  )
  EXECUTE FUNCTION keep_handoffs();

CREATE FUNCTION note_begun_analytics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, sessions, conversations, ended, resolved, self_served, leads, spoken_leads, rated_1, rated_2, rated_3, rated_4, rated_5)
  SELECT gen_random_uuid(), org_id, bot_id, date_bin('15 minutes', created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z'), sum((true)::integer), sum((c.has_visitor_message)::integer), sum((c.has_visitor_message AND c.status = 'ended')::integer), sum((c.has_visitor_message AND c.is_resolved)::integer), sum((c.has_visitor_message AND c.status = 'ended' AND NOT c.had_handoff AND coalesce(c.rating, 5) > 2)::integer), sum((c.is_lead)::integer), sum((c.has_visitor_message AND c.is_lead)::integer), sum((coalesce(c.rating, 0) = 1)::integer), sum((coalesce(c.rating, 0) = 2)::integer), sum((coalesce(c.rating, 0) = 3)::integer), sum((coalesce(c.rating, 0) = 4)::integer), sum((coalesce(c.rating, 0) = 5)::integer)
  FROM begun c GROUP BY org_id, bot_id, date_bin('15 minutes', created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z');
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_conversations_analytics_insertion AFTER INSERT ON conversations REFERENCING NEW TABLE AS begun
  FOR EACH STATEMENT
  EXECUTE FUNCTION note_begun_analytics();

CREATE FUNCTION note_changed_analytics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.created_at = NEW.created_at THEN
          INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, sessions, conversations, ended, resolved, self_served, leads, spoken_leads, rated_1, rated_2, rated_3, rated_4, rated_5)
          VALUES (gen_random_uuid(), NEW.org_id, NEW.bot_id, date_bin('15 minutes', NEW.created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z'),
            (true)::integer - (true)::integer,
            (NEW.has_visitor_message)::integer - (OLD.has_visitor_message)::integer,
            (NEW.has_visitor_message AND NEW.status = 'ended')::integer - (OLD.has_visitor_message AND OLD.status = 'ended')::integer,
            (NEW.has_visitor_message AND NEW.is_resolved)::integer - (OLD.has_visitor_message AND OLD.is_resolved)::integer,
            (NEW.has_visitor_message AND NEW.status = 'ended' AND NOT NEW.had_handoff AND coalesce(NEW.rating, 5) > 2)::integer - (OLD.has_visitor_message AND OLD.status = 'ended' AND NOT OLD.had_handoff AND coalesce(OLD.rating, 5) > 2)::integer,
            (NEW.is_lead)::integer - (OLD.is_lead)::integer,
            (NEW.has_visitor_message AND NEW.is_lead)::integer - (OLD.has_visitor_message AND OLD.is_lead)::integer,
            (coalesce(NEW.rating, 0) = 1)::integer - (coalesce(OLD.rating, 0) = 1)::integer,
            (coalesce(NEW.rating, 0) = 2)::integer - (coalesce(OLD.rating, 0) = 2)::integer,
            (coalesce(NEW.rating, 0) = 3)::integer - (coalesce(OLD.rating, 0) = 3)::integer,
            (coalesce(NEW.rating, 0) = 4)::integer - (coalesce(OLD.rating, 0) = 4)::integer,
            (coalesce(NEW.rating, 0) = 5)::integer - (coalesce(OLD.rating, 0) = 5)::integer);
        ELSE
          
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, sessions, conversations, ended, resolved, self_served, leads, spoken_leads, rated_1, rated_2, rated_3, rated_4, rated_5)
  SELECT gen_random_uuid(), org_id, bot_id, date_bin('15 minutes', created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z'), -sum((true)::integer), -sum((c.has_visitor_message)::integer), -sum((c.has_visitor_message AND c.status = 'ended')::integer), -sum((c.has_visitor_message AND c.is_resolved)::integer), -sum((c.has_visitor_message AND c.status = 'ended' AND NOT c.had_handoff AND coalesce(c.rating, 5) > 2)::integer), -sum((c.is_lead)::integer), -sum((c.has_visitor_message AND c.is_lead)::integer), -sum((coalesce(c.rating, 0) = 1)::integer), -sum((coalesce(c.rating, 0) = 2)::integer), -sum((coalesce(c.rating, 0) = 3)::integer), -sum((coalesce(c.rating, 0) = 4)::integer), -sum((coalesce(c.rating, 0) = 5)::integer)
  FROM (SELECT OLD.*) c GROUP BY org_id, bot_id, date_bin('15 minutes', created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z');
          
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, sessions, conversations, ended, resolved, self_served, leads, spoken_leads, rated_1, rated_2, rated_3, rated_4, rated_5)
  SELECT gen_random_uuid(), org_id, bot_id, date_bin('15 minutes', created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z'), sum((true)::integer), sum((c.has_visitor_message)::integer), sum((c.has_visitor_message AND c.status = 'ended')::integer), sum((c.has_visitor_message AND c.is_resolved)::integer), sum((c.has_visitor_message AND c.status = 'ended' AND NOT c.had_handoff AND coalesce(c.rating, 5) > 2)::integer), sum((c.is_lead)::integer), sum((c.has_visitor_message AND c.is_lead)::integer), sum((coalesce(c.rating, 0) = 1)::integer), sum((coalesce(c.rating, 0) = 2)::integer), sum((coalesce(c.rating, 0) = 3)::integer), sum((coalesce(c.rating, 0) = 4)::integer), sum((coalesce(c.rating, 0) = 5)::integer)
  FROM (SELECT NEW.*) c GROUP BY org_id, bot_id, date_bin('15 minutes', created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z');
        END IF;
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_conversations_analytics_change AFTER UPDATE OF created_at, status, is_resolved, is_lead, rating, had_handoff, has_visitor_message ON conversations
  FOR EACH ROW WHEN (
    OLD.created_at <> NEW.created_at
    OR true <> true
    OR OLD.has_visitor_message <> NEW.has_visitor_message
    OR ((OLD.has_visitor_message AND OLD.status = 'ended') <> (NEW.has_visitor_message AND NEW.status = 'ended'))
    OR ((OLD.has_visitor_message AND OLD.is_resolved) <> (NEW.has_visitor_message AND NEW.is_resolved))
    OR ((OLD.has_visitor_message AND OLD.status = 'ended' AND (NOT OLD.had_handoff) AND (COALESCE(OLD.rating, 5) > 2)) <> (NEW.has_visitor_message AND NEW.status = 'ended' AND (NOT NEW.had_handoff) AND (COALESCE(NEW.rating, 5) > 2)))
    OR OLD.is_lead <> NEW.is_lead
    OR ((OLD.has_visitor_message AND OLD.is_lead) <> (NEW.has_visitor_message AND NEW.is_lead))
    OR ((COALESCE(OLD.rating, 0) = 1) <> (COALESCE(NEW.rating, 0) = 1))
    OR ((COALESCE(OLD.rating, 0) = 2) <> (COALESCE(NEW.rating, 0) = 2))
    OR ((COALESCE(OLD.rating, 0) = 3) <> (COALESCE(NEW.rating, 0) = 3))
    OR ((COALESCE(OLD.rating, 0) = 4) <> (COALESCE(NEW.rating, 0) = 4))
    OR ((COALESCE(OLD.rating, 0) = 5) <> (COALESCE(NEW.rating, 0) = 5))
  )
  EXECUTE FUNCTION note_changed_analytics();

CREATE FUNCTION note_changed_answers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, errors, unanswered, bins, bin_counts)
  SELECT gen_random_uuid(), org_id, bot_id, starts_at, -errors, -unanswered, bins, array_fill(-1, ARRAY[cardinality(bins)])
  FROM (SELECT c.org_id, c.bot_id, date_bin('15 minutes', m.created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z') AS starts_at,
      count(*) FILTER (WHERE m.is_error) AS errors, count(*) FILTER (WHERE m.is_unanswered) AS unanswered,
      coalesce(array_agg((1000 + width_bucket(m.latency_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE m.latency_ms IS NOT NULL AND NOT m.is_error), '{}')
        || coalesce(array_agg((2000 + width_bucket(m.ttft_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE m.ttft_ms IS NOT NULL AND NOT m.is_error), '{}') AS bins
    FROM (SELECT OLD.*) m JOIN conversations c ON c.id = m.conversation_id WHERE true AND m.role = 'assistant' AND m.state = 'complete' GROUP BY 1, 2, 3) answers;
        END IF;
        
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, errors, unanswered, bins, bin_counts)
  SELECT gen_random_uuid(), org_id, bot_id, starts_at, errors, unanswered, bins, array_fill(1, ARRAY[cardinality(bins)])
  FROM (SELECT c.org_id, c.bot_id, date_bin('15 minutes', m.created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z') AS starts_at,
      count(*) FILTER (WHERE m.is_error) AS errors, count(*) FILTER (WHERE m.is_unanswered) AS unanswered,
      coalesce(array_agg((1000 + width_bucket(m.latency_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE m.latency_ms IS NOT NULL AND NOT m.is_error), '{}')
        || coalesce(array_agg((2000 + width_bucket(m.ttft_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE m.ttft_ms IS NOT NULL AND NOT m.is_error), '{}') AS bins
    FROM (SELECT NEW.*) m JOIN conversations c ON c.id = m.conversation_id WHERE true AND m.role = 'assistant' AND m.state = 'complete' GROUP BY 1, 2, 3) answers;
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_messages_analytics_change AFTER UPDATE OF created_at, latency_ms, ttft_ms, is_error, is_unanswered ON messages
  FOR EACH ROW WHEN (OLD.role = 'assistant' AND OLD.state = 'complete')
  EXECUTE FUNCTION note_changed_answers();

-- Runs before the row is deleted, because its messages are deleted with it.
CREATE FUNCTION note_deleted_analytics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, sessions, conversations, ended, resolved, self_served, leads, spoken_leads, rated_1, rated_2, rated_3, rated_4, rated_5)
  SELECT gen_random_uuid(), org_id, bot_id, date_bin('15 minutes', created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z'), -sum((true)::integer), -sum((c.has_visitor_message)::integer), -sum((c.has_visitor_message AND c.status = 'ended')::integer), -sum((c.has_visitor_message AND c.is_resolved)::integer), -sum((c.has_visitor_message AND c.status = 'ended' AND NOT c.had_handoff AND coalesce(c.rating, 5) > 2)::integer), -sum((c.is_lead)::integer), -sum((c.has_visitor_message AND c.is_lead)::integer), -sum((coalesce(c.rating, 0) = 1)::integer), -sum((coalesce(c.rating, 0) = 2)::integer), -sum((coalesce(c.rating, 0) = 3)::integer), -sum((coalesce(c.rating, 0) = 4)::integer), -sum((coalesce(c.rating, 0) = 5)::integer)
  FROM (SELECT OLD.*) c GROUP BY org_id, bot_id, date_bin('15 minutes', created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z');
        
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, errors, unanswered, bins, bin_counts)
  SELECT gen_random_uuid(), org_id, bot_id, starts_at, -errors, -unanswered, bins, array_fill(-1, ARRAY[cardinality(bins)])
  FROM (SELECT c.org_id, c.bot_id, date_bin('15 minutes', m.created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z') AS starts_at,
      count(*) FILTER (WHERE m.is_error) AS errors, count(*) FILTER (WHERE m.is_unanswered) AS unanswered,
      coalesce(array_agg((1000 + width_bucket(m.latency_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE m.latency_ms IS NOT NULL AND NOT m.is_error), '{}')
        || coalesce(array_agg((2000 + width_bucket(m.ttft_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE m.ttft_ms IS NOT NULL AND NOT m.is_error), '{}') AS bins
    FROM (SELECT OLD.*) c JOIN messages m ON m.conversation_id = c.id WHERE true AND m.role = 'assistant' AND m.state = 'complete' GROUP BY 1, 2, 3) answers;
        RETURN OLD;
      END $$;
CREATE TRIGGER tr_conversations_analytics_deletion BEFORE DELETE ON conversations
  FOR EACH ROW
  EXECUTE FUNCTION note_deleted_analytics();

-- Finds no answer that is deleted with its conversation, which note_deleted_analytics has subtracted.
CREATE FUNCTION note_deleted_answers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, errors, unanswered, bins, bin_counts)
  SELECT gen_random_uuid(), org_id, bot_id, starts_at, -errors, -unanswered, bins, array_fill(-1, ARRAY[cardinality(bins)])
  FROM (SELECT c.org_id, c.bot_id, date_bin('15 minutes', m.created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z') AS starts_at,
      count(*) FILTER (WHERE m.is_error) AS errors, count(*) FILTER (WHERE m.is_unanswered) AS unanswered,
      coalesce(array_agg((1000 + width_bucket(m.latency_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE m.latency_ms IS NOT NULL AND NOT m.is_error), '{}')
        || coalesce(array_agg((2000 + width_bucket(m.ttft_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE m.ttft_ms IS NOT NULL AND NOT m.is_error), '{}') AS bins
    FROM gone m JOIN conversations c ON c.id = m.conversation_id WHERE true AND m.role = 'assistant' AND m.state = 'complete' GROUP BY 1, 2, 3) answers;
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_messages_analytics_deletion AFTER DELETE ON messages REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT
  EXECUTE FUNCTION note_deleted_answers();

-- A member that is deleted with its cluster leaves no delta: no count remains.
CREATE FUNCTION note_deleted_question() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO question_deltas (id, org_id, bot_id, cluster_id, day, asked, unanswered)
        SELECT gen_random_uuid(), c.org_id, c.bot_id, c.id, (OLD.asked_at AT TIME ZONE 'UTC')::date, -1, -OLD.is_unanswered::int
        FROM question_clusters c WHERE c.id = OLD.cluster_id;
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_question_members_deletion AFTER DELETE ON question_members
  FOR EACH ROW
  EXECUTE FUNCTION note_deleted_question();

CREATE FUNCTION note_handoff_analytics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, handoffs_requested, handoffs_answered, bins, bin_counts)
  SELECT gen_random_uuid(), org_id, bot_id, starts_at, -requested, -cardinality(bins), bins, array_fill(-1, ARRAY[cardinality(bins)])
  FROM (SELECT h.org_id, h.bot_id, date_bin('15 minutes', h.requested_at, TIMESTAMPTZ '2000-01-01 00:00:00Z') AS starts_at, count(*) AS requested,
      coalesce(array_agg((0 + width_bucket(greatest(0, floor(extract(epoch FROM h.answered_at - h.requested_at)))::integer, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE h.answered_at IS NOT NULL), '{}') AS bins
    FROM (SELECT OLD.*) h GROUP BY 1, 2, 3) requests;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, handoffs_requested, handoffs_answered, bins, bin_counts)
  SELECT gen_random_uuid(), org_id, bot_id, starts_at, requested, cardinality(bins), bins, array_fill(1, ARRAY[cardinality(bins)])
  FROM (SELECT h.org_id, h.bot_id, date_bin('15 minutes', h.requested_at, TIMESTAMPTZ '2000-01-01 00:00:00Z') AS starts_at, count(*) AS requested,
      coalesce(array_agg((0 + width_bucket(greatest(0, floor(extract(epoch FROM h.answered_at - h.requested_at)))::integer, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE h.answered_at IS NOT NULL), '{}') AS bins
    FROM (SELECT NEW.*) h GROUP BY 1, 2, 3) requests;
        END IF;
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_handoffs_analytics AFTER INSERT OR DELETE OR UPDATE ON handoffs
  FOR EACH ROW
  EXECUTE FUNCTION note_handoff_analytics();

CREATE FUNCTION note_new_answers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        
  INSERT INTO analytics_changes (id, org_id, bot_id, starts_at, errors, unanswered, bins, bin_counts)
  SELECT gen_random_uuid(), org_id, bot_id, starts_at, errors, unanswered, bins, array_fill(1, ARRAY[cardinality(bins)])
  FROM (SELECT c.org_id, c.bot_id, date_bin('15 minutes', m.created_at, TIMESTAMPTZ '2000-01-01 00:00:00Z') AS starts_at,
      count(*) FILTER (WHERE m.is_error) AS errors, count(*) FILTER (WHERE m.is_unanswered) AS unanswered,
      coalesce(array_agg((1000 + width_bucket(m.latency_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE m.latency_ms IS NOT NULL AND NOT m.is_error), '{}')
        || coalesce(array_agg((2000 + width_bucket(m.ttft_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,31,32,33,35,36,38,40,41,43,45,47,49,52,54,56,59,61,64,67,70,73,76,79,83,87,91,95,99,103,108,112,117,123,128,134,140,146,152,159,166,173,181,189,197,206,215,225,235,245,256,267,279,292,304,318,332,347,362,378,395,412,431,450,470,490,512,535,558,583,609,636,664,693,724,756,790,825,861,899,939,981,1024,1069,1117,1166,1218,1272,1328,1387,1448,1512,1579,1649,1722,1798,1878,1961,2048,2139,2233,2332,2435,2543,2656,2774,2896,3025,3158,3298,3444,3597,3756,3922,4096,4277,4467,4664,4871,5087,5312,5547,5793,6049,6317,6597,6889,7194,7512,7845,8192,8555,8933,9329,9742,10173,10624,11094,11585,12098,12634,13193,13777,14387,15024,15689,16384,17109,17867,18658,19484,20347,21247,22188,23170,24196,25268,26386,27554,28774,30048,31379,32768,34219,35734,37316,38968,40693,42495,44376,46341,48393,50535,52773,55109,57549,60097,62757,65536,68438,71468,74632,77936,81386,84990,88752,92682,96785,101070,105545,110218,115098,120194,125515,131072,136875,142935,149263,155872,162773,169979,177505,185364,193571,202141,211090,220436,230195,240387,251030,262144,273750,285870,298527,311744,325546,339959,355010,370728,387141,404281,422180,440872,460391,480774,502060,524288,547500,571740,597053,623487,651091,679917,710020,741455,774282,808563,844361,881744,920782,961548,1004120,1048576,1095000,1143480,1194106,1246974,1302182,1359835,1420040,1482910,1548564,1617125,1688722,1763488,1841564,1923097,2008240,2097152}'::integer[]))::smallint) FILTER (WHERE m.ttft_ms IS NOT NULL AND NOT m.is_error), '{}') AS bins
    FROM added m JOIN conversations c ON c.id = m.conversation_id WHERE true AND m.role = 'assistant' AND m.state = 'complete' GROUP BY 1, 2, 3) answers;
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_messages_analytics_insertion AFTER INSERT ON messages REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION note_new_answers();

-- Queues the question of a message in the transaction that completes its answer.
CREATE FUNCTION queue_question() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO question_queue (message_id) VALUES (NEW.reply_to_id) ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_messages_question_answer AFTER INSERT ON messages
  FOR EACH ROW WHEN (NEW.reply_to_id IS NOT NULL AND NEW.state = 'complete')
  EXECUTE FUNCTION queue_question();
CREATE TRIGGER tr_messages_question_answered AFTER UPDATE OF state ON messages
  FOR EACH ROW WHEN (NEW.reply_to_id IS NOT NULL AND NEW.state = 'complete' AND OLD.state <> NEW.state)
  EXECUTE FUNCTION queue_question();
`,
};
