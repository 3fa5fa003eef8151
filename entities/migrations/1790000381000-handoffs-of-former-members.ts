import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever may not answer any more gives the visitors back to those who wait, however the role was lost. */
export class HandoffsOfFormerMembers1790000381000 implements MigrationInterface {
  name = 'HandoffsOfFormerMembers1790000381000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION give_back_handoffs() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        UPDATE conversations SET status = 'waiting_human', assigned_to_id = NULL, assigned_at = NULL
        WHERE assigned_to_id = OLD.user_id AND status = 'human'
          AND coalesce(effective_role(OLD.user_id, org_id), 'viewer') = 'viewer';
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tr_memberships_handoffs AFTER DELETE OR UPDATE OF role ON "memberships"
      FOR EACH ROW EXECUTE FUNCTION give_back_handoffs()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tr_memberships_handoffs ON "memberships"`);
    await runner.query(`DROP FUNCTION give_back_handoffs`);
  }
}
