import type { FeatureSchema } from './feature-schema.ts';

export const TEAM: FeatureSchema = {
  tables: `
CREATE TABLE api_keys (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  created_by_id uuid NOT NULL,
  name text NOT NULL,
  digest text NOT NULL,
  last_four text NOT NULL,
  scopes text[] NOT NULL,
  api_version text,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  replaced_at timestamptz(3),
  CONSTRAINT pk_api_keys PRIMARY KEY (id)
);
CREATE INDEX ix_api_keys_created_by_id ON api_keys (created_by_id);
CREATE INDEX ix_api_keys_org_id ON api_keys (org_id);
CREATE UNIQUE INDEX uq_api_keys_digest ON api_keys (digest);

-- Refers to nothing but the workspace: an entry outlives its subject.
CREATE TABLE audit_events (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  user_id uuid NOT NULL,
  key_id uuid,
  operation text NOT NULL,
  resource_type text NOT NULL,
  resource_id text,
  changed_fields text[] NOT NULL,
  ip text NOT NULL,
  user_agent text,
  request_id text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  action text,
  CONSTRAINT pk_audit_events PRIMARY KEY (id)
);
-- Rows are stored in the order of their time: a BRIN index costs writes next to nothing.
CREATE INDEX ix_audit_events_created ON audit_events USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX ix_audit_events_org_created ON audit_events (org_id, created_at, id);

CREATE TABLE invitations (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  token_digest text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  invited_by_id uuid,
  expires_at timestamptz(3) NOT NULL,
  remind_at timestamptz(3),
  accepted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  sent_at timestamptz(3) NOT NULL DEFAULT now(),
  handed_digest text,
  CONSTRAINT pk_invitations PRIMARY KEY (id)
);
CREATE INDEX ix_invitations_expires_at ON invitations (expires_at);
CREATE INDEX ix_invitations_invited_by_id ON invitations (invited_by_id);
CREATE INDEX ix_invitations_org_created ON invitations (org_id, created_at, id);
CREATE UNIQUE INDEX uq_invitations_handed_digest ON invitations (handed_digest) WHERE handed_digest IS NOT NULL;
CREATE UNIQUE INDEX uq_invitations_pending ON invitations (org_id, email) WHERE status = 'pending';
CREATE UNIQUE INDEX uq_invitations_token_digest ON invitations (token_digest);

CREATE TABLE memberships (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  is_maker boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_memberships PRIMARY KEY (id)
);
CREATE INDEX ix_memberships_user_id ON memberships (user_id);
CREATE UNIQUE INDEX uq_memberships_org_user ON memberships (org_id, user_id);

CREATE TABLE orgs (
  id uuid NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  plan_tier text NOT NULL DEFAULT 'free',
  parent_org_id uuid,
  is_active boolean NOT NULL DEFAULT true,
  settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  payer_id uuid NOT NULL,
  CONSTRAINT pk_orgs PRIMARY KEY (id)
);
CREATE INDEX ix_orgs_parent_org_id ON orgs (parent_org_id);
CREATE INDEX ix_orgs_payer ON orgs (payer_id);
CREATE UNIQUE INDEX uq_orgs_slug ON orgs (slug);
`,

  references: `
ALTER TABLE api_keys
  ADD CONSTRAINT fk_api_keys_created_by_id FOREIGN KEY (created_by_id) REFERENCES users(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_api_keys_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE audit_events
  ADD CONSTRAINT fk_audit_events_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE invitations
  ADD CONSTRAINT fk_invitations_invited_by_id FOREIGN KEY (invited_by_id) REFERENCES users(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_invitations_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE;

ALTER TABLE memberships
  ADD CONSTRAINT fk_memberships_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE,
  ADD CONSTRAINT fk_memberships_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE orgs
  ADD CONSTRAINT fk_orgs_parent_org_id FOREIGN KEY (parent_org_id) REFERENCES orgs(id) ON DELETE RESTRICT;
`,

  functions: `
-- Keeps the last owner of a workspace. Two removals at the same moment wait for each other at the row of the workspace.
CREATE FUNCTION check_last_owner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM orgs WHERE id = OLD.org_id AND deleted_at IS NULL AND parent_org_id IS NULL FOR NO KEY UPDATE;
      IF FOUND AND NOT EXISTS (
        SELECT FROM memberships m JOIN users u ON u.id = m.user_id AND u.is_active
        WHERE m.org_id = OLD.org_id AND m.role = 'owner'
      ) THEN
        RAISE EXCEPTION USING ERRCODE = 'OW001', MESSAGE = 'The last owner of a workspace stays.';
      END IF;
      RETURN NULL;
    END $$;
CREATE TRIGGER tr_memberships_demoted_owner AFTER UPDATE ON memberships
  FOR EACH ROW WHEN (OLD.role = 'owner' AND (NEW.role <> 'owner' OR NEW.org_id <> OLD.org_id))
  EXECUTE FUNCTION check_last_owner();
CREATE TRIGGER tr_memberships_removed_owner AFTER DELETE ON memberships
  FOR EACH ROW WHEN (OLD.role = 'owner')
  EXECUTE FUNCTION check_last_owner();

-- Limits workspaces to five levels and refuses cycles. Moves exclude each other and wait for insertions.
-- VOLATILE, so that its query sees what was committed before it had the lock.
CREATE FUNCTION check_org_hierarchy() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        hierarchy constant bigint := 7308331904157053768;
        deepest constant integer := 4;
        depth integer;
        height integer := 0;
        is_below_itself boolean;
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          PERFORM pg_advisory_xact_lock(hierarchy);
        ELSE
          PERFORM pg_advisory_xact_lock_shared(hierarchy);
        END IF;
        WITH RECURSIVE above AS (
          SELECT id, parent_org_id, 1 AS steps FROM orgs WHERE id = NEW.parent_org_id
          UNION ALL
          SELECT o.id, o.parent_org_id, a.steps + 1 FROM above a JOIN orgs o ON o.id = a.parent_org_id
          WHERE a.id <> NEW.id AND a.steps <= deepest
        )
        SELECT max(steps), coalesce(bool_or(id = NEW.id), NEW.parent_org_id = NEW.id)
        INTO depth, is_below_itself FROM above;
        IF is_below_itself THEN
          RAISE EXCEPTION USING ERRCODE = 'OH002', MESSAGE = 'A workspace cannot be below itself.';
        END IF;
        IF TG_OP = 'UPDATE' THEN
          WITH RECURSIVE below AS (
            SELECT NEW.id AS id, 0 AS steps
            UNION ALL
            SELECT o.id, b.steps + 1 FROM below b JOIN orgs o ON o.parent_org_id = b.id WHERE b.steps <= deepest
          )
          SELECT max(steps) INTO height FROM below;
        END IF;
        IF depth + height > deepest THEN
          RAISE EXCEPTION USING ERRCODE = 'OH001', MESSAGE = 'The hierarchy of workspaces would be too deep.';
        END IF;
        RETURN NEW;
      END $$;
CREATE TRIGGER tr_orgs_hierarchy AFTER UPDATE OF parent_org_id, id ON orgs
  FOR EACH ROW WHEN (NEW.parent_org_id IS NOT NULL)
  EXECUTE FUNCTION check_org_hierarchy();
CREATE TRIGGER tr_orgs_hierarchy_of_new AFTER INSERT ON orgs
  FOR EACH ROW WHEN (NEW.parent_org_id IS NOT NULL)
  EXECUTE FUNCTION check_org_hierarchy();

-- Returns the role of a person in a workspace; owners and admins of a workspace above it keep their role in it.
CREATE FUNCTION effective_role(person uuid, workspace uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
      DECLARE
        own text;
        above text;
        parent uuid;
      BEGIN
        SELECT m.role, o.parent_org_id INTO own, parent
        FROM users u CROSS JOIN orgs o LEFT JOIN memberships m ON m.org_id = o.id AND m.user_id = u.id
        WHERE u.id = person AND u.is_active AND o.id = workspace;
        FOR level IN 1..16 LOOP
          EXIT WHEN parent IS NULL OR own = 'owner';
          SELECT m.role, o.parent_org_id INTO above, parent
          FROM orgs o LEFT JOIN memberships m ON m.org_id = o.id AND m.user_id = person WHERE o.id = parent;
          IF above IN ('owner', 'admin') THEN
            own := above;
          END IF;
        END LOOP;
        RETURN own;
      END $$;

-- Returns conversations of a former member to the waiting visitors, however the role was lost.
CREATE FUNCTION give_back_handoffs() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        WITH given AS (
  UPDATE conversations SET status = 'waiting_human', assigned_to_id = NULL, assigned_at = NULL
  WHERE assigned_to_id = OLD.user_id AND status = 'human'
    AND coalesce(effective_role(OLD.user_id, org_id), 'viewer') = 'viewer' RETURNING id, org_id)
       INSERT INTO messages (id, org_id, conversation_id, role, content, event, author_id, author_name, created_at)
       SELECT gen_random_uuid(), given.org_id, given.id, 'system', '', '{"kind": "handoff_returned"}',
              u.id, u.full_name, clock_timestamp()
       FROM given LEFT JOIN users u ON u.id = OLD.user_id;
        RETURN NULL;
      END $$;
CREATE TRIGGER tr_memberships_handoffs AFTER DELETE OR UPDATE OF role ON memberships
  FOR EACH ROW
  EXECUTE FUNCTION give_back_handoffs();

-- Returns whether a workspace is the ancestor itself or below it.
CREATE FUNCTION org_contains(ancestor uuid, workspace uuid) RETURNS boolean LANGUAGE plpgsql STABLE STRICT AS $$
      DECLARE
        present uuid := workspace;
      BEGIN
        FOR level IN 0..16 LOOP
          IF present = ancestor THEN
            RETURN true;
          END IF;
          SELECT parent_org_id INTO present FROM orgs WHERE id = present;
          EXIT WHEN present IS NULL;
        END LOOP;
        RETURN false;
      END $$;
`,
};
