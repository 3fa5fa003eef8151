import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that take no mail are kept as digests from now on. Those that are known go: each is learned anew by the next mail to it. */
export class DigestsOfRefusedAddresses1791210010000 implements MigrationInterface {
  name = 'DigestsOfRefusedAddresses1791210010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "refused_addresses"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "refused_addresses"`);
  }
}
