import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the database table of the logins that people approve in a browser for a command line on another
 * device.
 */
export class DeviceLogins1796080000000 implements MigrationInterface {
  readonly name = 'DeviceLogins1796080000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE device_logins (
        id uuid NOT NULL,
        device_digest text NOT NULL,
        user_code text NOT NULL,
        client_name text NOT NULL,
        ip text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        org_id uuid,
        user_id uuid,
        scopes text[] NOT NULL DEFAULT '{}',
        last_polled_at timestamptz(3),
        expires_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_device_logins PRIMARY KEY (id),
        CONSTRAINT fk_device_logins_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE,
        CONSTRAINT fk_device_logins_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
      )`);
    for (const [name, column] of [
      ['UNIQUE INDEX uq_device_logins_device_digest', 'device_digest'],
      ['UNIQUE INDEX uq_device_logins_user_code', 'user_code'],
      ['INDEX ix_device_logins_expires_at', 'expires_at'],
      ['INDEX ix_device_logins_org_id', 'org_id'],
      ['INDEX ix_device_logins_user_id', 'user_id'],
    ])
      await runner.query(`CREATE ${name} ON device_logins (${column})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_logins');
  }
}
