import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the database table in which workers report the worker roles that they serve. */
export class ServedRoles1796118000000 implements MigrationInterface {
  readonly name = 'ServedRoles1796118000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE served_roles (
        role text CONSTRAINT pk_served_roles PRIMARY KEY,
        seen_at timestamp(3) with time zone NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE served_roles');
  }
}
