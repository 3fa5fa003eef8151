import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Workspaces stand at most five levels deep, and never below themselves. Moves take their turns, and wait for what is
 * being made below: a function that is volatile looks at what was committed before it had its lock.
 */
export class Hierarchy1790000220000 implements MigrationInterface {
  name = 'Hierarchy1790000220000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "orgs" ADD "deleted_at" TIMESTAMP(3) WITH TIME ZONE`);
    await runner.query(`CREATE FUNCTION check_org_hierarchy() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
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
      END $$`);
    await runner.query(`CREATE TRIGGER tr_orgs_hierarchy_of_new BEFORE INSERT ON "orgs" FOR EACH ROW
      WHEN (NEW.parent_org_id IS NOT NULL) EXECUTE FUNCTION check_org_hierarchy()`);
    await runner.query(`CREATE TRIGGER tr_orgs_hierarchy BEFORE UPDATE OF parent_org_id, id ON "orgs" FOR EACH ROW
      WHEN (NEW.parent_org_id IS NOT NULL) EXECUTE FUNCTION check_org_hierarchy()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tr_orgs_hierarchy ON "orgs"`);
    await runner.query(`DROP TRIGGER tr_orgs_hierarchy_of_new ON "orgs"`);
    await runner.query(`DROP FUNCTION check_org_hierarchy()`);
    await runner.query(`ALTER TABLE "orgs" DROP COLUMN "deleted_at"`);
  }
}
