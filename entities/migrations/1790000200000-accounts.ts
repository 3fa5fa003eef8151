import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The levels above a workspace, with room to spare: whatever the rows say, the walk ends. */
const MOST_LEVELS = 16;

/** People sign in, and what they may do in a workspace is said by one function. */
export class Accounts1790000200000 implements MigrationInterface {
  name = 'Accounts1790000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "users"
      ADD "avatar_url" text,
      ADD "is_active" boolean NOT NULL DEFAULT true,
      ADD "last_sign_in_at" TIMESTAMP(3) WITH TIME ZONE,
      ADD "mfa_activated_at" TIMESTAMP(3) WITH TIME ZONE`);
    await runner.query(`CREATE TABLE "sessions" (
      "id" uuid NOT NULL,
      "user_id" uuid NOT NULL,
      "org_id" uuid,
      "generation" integer NOT NULL DEFAULT 0,
      "rotated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "user_agent" text,
      "ip" text,
      "last_used_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "pk_sessions" PRIMARY KEY ("id"),
      CONSTRAINT "fk_sessions_user_id" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
      CONSTRAINT "fk_sessions_org_id" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE SET NULL ON UPDATE NO ACTION)`);
    await runner.query(`CREATE INDEX "ix_sessions_user_id" ON "sessions" ("user_id")`);
    await runner.query(`CREATE INDEX "ix_sessions_org_id" ON "sessions" ("org_id")`);
    await runner.query(`CREATE INDEX "ix_sessions_expires_at" ON "sessions" ("expires_at")`);
    // Most people are owner or admin of the workspace itself: then nothing above it is read.
    await runner.query(`CREATE FUNCTION effective_role(person uuid, workspace uuid) RETURNS text
      LANGUAGE plpgsql STABLE AS $$
      DECLARE
        own text;
        above text;
        parent uuid;
      BEGIN
        SELECT m.role, o.parent_org_id INTO own, parent
        FROM users u CROSS JOIN orgs o LEFT JOIN memberships m ON m.org_id = o.id AND m.user_id = u.id
        WHERE u.id = person AND u.is_active AND o.id = workspace;
        IF NOT FOUND OR own IN ('owner', 'admin') THEN
          RETURN own;
        END IF;
        FOR level IN 1..${MOST_LEVELS} LOOP
          EXIT WHEN parent IS NULL;
          SELECT m.role, o.parent_org_id INTO above, parent
          FROM orgs o LEFT JOIN memberships m ON m.org_id = o.id AND m.user_id = person WHERE o.id = parent;
          IF above IN ('owner', 'admin') THEN
            RETURN 'admin';
          END IF;
        END LOOP;
        RETURN own;
      END $$`);
    await runner.query(`CREATE FUNCTION org_contains(ancestor uuid, workspace uuid) RETURNS boolean
      LANGUAGE plpgsql STABLE STRICT AS $$
      DECLARE
        present uuid := workspace;
      BEGIN
        FOR level IN 0..${MOST_LEVELS} LOOP
          IF present = ancestor THEN
            RETURN true;
          END IF;
          SELECT parent_org_id INTO present FROM orgs WHERE id = present;
          EXIT WHEN present IS NULL;
        END LOOP;
        RETURN false;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION org_contains`);
    await runner.query(`DROP FUNCTION effective_role`);
    await runner.query(`DROP TABLE "sessions"`);
    await runner.query(`ALTER TABLE "users"
      DROP COLUMN "mfa_activated_at", DROP COLUMN "last_sign_in_at", DROP COLUMN "is_active", DROP COLUMN "avatar_url"`);
  }
}
