import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last owner of a workspace stays, also when two are taken away at once: they wait for each other at its row. */
export class LastOwner1790000221000 implements MigrationInterface {
  name = 'LastOwner1790000221000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION check_last_owner() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        PERFORM FROM orgs WHERE id = OLD.org_id AND deleted_at IS NULL FOR NO KEY UPDATE;
        IF FOUND AND NOT EXISTS (
          SELECT FROM memberships m JOIN users u ON u.id = m.user_id AND u.is_active
          WHERE m.org_id = OLD.org_id AND m.role = 'owner'
        ) THEN
          RAISE EXCEPTION USING ERRCODE = 'OW001', MESSAGE = 'The last owner of a workspace stays.';
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_memberships_demoted_owner AFTER UPDATE ON "memberships" FOR EACH ROW
      WHEN (OLD.role = 'owner' AND (NEW.role <> 'owner' OR NEW.org_id <> OLD.org_id))
      EXECUTE FUNCTION check_last_owner()`);
    await runner.query(`CREATE TRIGGER tr_memberships_removed_owner AFTER DELETE ON "memberships" FOR EACH ROW
      WHEN (OLD.role = 'owner') EXECUTE FUNCTION check_last_owner()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tr_memberships_removed_owner ON "memberships"`);
    await runner.query(`DROP TRIGGER tr_memberships_demoted_owner ON "memberships"`);
    await runner.query(`DROP FUNCTION check_last_owner()`);
  }
}
