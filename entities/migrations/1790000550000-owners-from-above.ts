import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The levels above a workspace, with room to spare: whatever the rows say, the walk ends. */
const MOST_LEVELS = 16;

/**
 * The owners of a workspace act as owners in those below it, and so only one with none above it needs an owner of its own.
 * Who made a workspace below another one belongs to it as long as they could still do so.
 */
export class OwnersFromAbove1790000550000 implements MigrationInterface {
  name = 'OwnersFromAbove1790000550000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "memberships" ADD "is_maker" boolean NOT NULL DEFAULT false`);
    // A transaction has one time: that of a workspace is the one of the membership made with it.
    await runner.query(`UPDATE memberships m SET is_maker = true FROM orgs o
      WHERE o.id = m.org_id AND o.parent_org_id IS NOT NULL AND m.role = 'owner' AND m.created_at = o.created_at`);
    await runner.query(`CREATE OR REPLACE FUNCTION effective_role(person uuid, workspace uuid) RETURNS text
      LANGUAGE plpgsql STABLE AS $$
      DECLARE
        own text;
        above text;
        parent uuid;
      BEGIN
        SELECT m.role, o.parent_org_id INTO own, parent
        FROM users u CROSS JOIN orgs o LEFT JOIN memberships m ON m.org_id = o.id AND m.user_id = u.id
        WHERE u.id = person AND u.is_active AND o.id = workspace;
        FOR level IN 1..${MOST_LEVELS} LOOP
          EXIT WHEN parent IS NULL OR own = 'owner';
          SELECT m.role, o.parent_org_id INTO above, parent
          FROM orgs o LEFT JOIN memberships m ON m.org_id = o.id AND m.user_id = person WHERE o.id = parent;
          IF above IN ('owner', 'admin') THEN
            own := above;
          END IF;
        END LOOP;
        RETURN own;
      END $$`);
    await lastOwner(runner, 'AND parent_org_id IS NULL ');
    await runner.query(
      `ALTER TABLE "invitations" ADD "sent_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now()`,
    );
    await runner.query(`UPDATE invitations SET sent_at = expires_at - interval '7 days'`);
    // Their senders could not send them any more; the workflows find it at their next step.
    await runner.query(`UPDATE invitations SET status = 'revoked' WHERE status = 'pending'
      AND coalesce(effective_role(invited_by_id, org_id), '') NOT IN ('owner', 'admin')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "invitations" DROP COLUMN "sent_at"`);
    await lastOwner(runner, '');
    await runner.query(`CREATE OR REPLACE FUNCTION effective_role(person uuid, workspace uuid) RETURNS text
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
    await runner.query(`ALTER TABLE "memberships" DROP COLUMN "is_maker"`);
  }
}

function lastOwner(runner: QueryRunner, condition: string): Promise<unknown> {
  return runner.query(`CREATE OR REPLACE FUNCTION check_last_owner() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      PERFORM FROM orgs WHERE id = OLD.org_id AND deleted_at IS NULL ${condition}FOR NO KEY UPDATE;
      IF FOUND AND NOT EXISTS (
        SELECT FROM memberships m JOIN users u ON u.id = m.user_id AND u.is_active
        WHERE m.org_id = OLD.org_id AND m.role = 'owner'
      ) THEN
        RAISE EXCEPTION USING ERRCODE = 'OW001', MESSAGE = 'The last owner of a workspace stays.';
      END IF;
      RETURN NULL;
    END $$`);
}
