import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCOUNTS } from './0.1.0/accounts.sql.ts';
import { ALERTS } from './0.1.0/alerts.sql.ts';
import { ANALYTICS } from './0.1.0/analytics.sql.ts';
import { ARCHIVE } from './0.1.0/archive.sql.ts';
import { BILLING } from './0.1.0/billing.sql.ts';
import { BOOKINGS } from './0.1.0/bookings.sql.ts';
import { BOTS } from './0.1.0/bots.sql.ts';
import { CONTACTS } from './0.1.0/contacts.sql.ts';
import { CONVERSATIONS } from './0.1.0/conversations.sql.ts';
import { ENCRYPTION } from './0.1.0/encryption.sql.ts';
import { FLOWS } from './0.1.0/flows.sql.ts';
import { KNOWLEDGE } from './0.1.0/knowledge.sql.ts';
import { MAIL } from './0.1.0/mail.sql.ts';
import { MCP } from './0.1.0/mcp.sql.ts';
import { OUTBOX } from './0.1.0/outbox.sql.ts';
import { REQUESTS } from './0.1.0/requests.sql.ts';
import { TEAM } from './0.1.0/team.sql.ts';
import { USAGE } from './0.1.0/usage.sql.ts';
import { WEBHOOKS } from './0.1.0/webhooks.sql.ts';

const FEATURES = [
  ACCOUNTS,
  ALERTS,
  ANALYTICS,
  ARCHIVE,
  BILLING,
  BOOKINGS,
  BOTS,
  CONTACTS,
  CONVERSATIONS,
  ENCRYPTION,
  FLOWS,
  KNOWLEDGE,
  MAIL,
  MCP,
  OUTBOX,
  REQUESTS,
  TEAM,
  USAGE,
  WEBHOOKS,
];

/**
 * PostgreSQL extensions: btree_gin and btree_gist combine an id with a text search or a time range in one
 * index; pg_trgm finds parts of words.
 */
const EXTENSIONS = ['btree_gin', 'btree_gist', 'pg_trgm'];

/** Creates the database schema of release 0.1.0. Released databases have it, so it must not change. */
export class Baseline1791400000000 implements MigrationInterface {
  name = 'Baseline1791400000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const extension of EXTENSIONS) await runner.query(`CREATE EXTENSION IF NOT EXISTS ${extension}`);
    for (const part of ['tables', 'references', 'functions'] as const) {
      for (const { [part]: sql } of FEATURES) if (sql !== undefined) await runner.query(sql);
    }
  }

  /**
   * Removes the schema of release 0.1.0 from the database, except for PostgreSQL extensions, which other
   * schemas may use.
   */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${listCreated('TABLE').join(', ')} CASCADE`);
    await runner.query(`DROP FUNCTION ${listCreated('FUNCTION').join(', ')}`);
  }
}

/** Returns the names of all tables or functions that the schema of release 0.1.0 creates. */
function listCreated(kind: 'TABLE' | 'FUNCTION'): string[] {
  const statement = new RegExp(`^CREATE (?:UNLOGGED )?${kind} (\\w+)`, 'gm');
  const sql = FEATURES.map(({ tables, functions = '' }) => tables + functions).join('\n');
  return [...sql.matchAll(statement)].map(([, name]) => name!);
}
