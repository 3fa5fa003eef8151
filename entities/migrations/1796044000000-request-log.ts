import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RequestLog1796044000000 implements MigrationInterface {
  readonly name = 'RequestLog1796044000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE request_log (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        api_key_id uuid,
        user_id uuid,
        operation text NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        status integer,
        error_code text,
        duration_ms integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_request_log PRIMARY KEY (id),
        CONSTRAINT fk_request_log_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_request_log_org_created ON request_log (org_id, created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE request_log`);
  }
}
