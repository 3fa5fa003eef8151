import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** The master key of the recorded databases: it decrypts their secrets, and guards nothing else. */
export const MASTER_KEY = Buffer.alloc(32, 'parley').toString('base64');

/** Ids and credentials of the recorded workspace, for callers of the API. */
export interface ReleasedWorkspace {
  orgId: string;
  /** An API key of the workspace's owner. */
  key: string;
  botId: string;
  publicKey: string;
  documentId: string;
  conversationId: string;
}

/** Returns the URL of the file with the compressed SQL of a release's database. */
export function getDumpUrl(version: string): URL {
  return new URL(`../fixtures/database-${version}.sql.gz`, import.meta.url);
}

export function getWorkspaceUrl(version: string): URL {
  return new URL(`../fixtures/database-${version}.json`, import.meta.url);
}

export function readWorkspace(version: string): ReleasedWorkspace {
  return JSON.parse(readFileSync(getWorkspaceUrl(version), 'utf8')) as ReleasedWorkspace;
}

/** Restores the recorded database of a release into a new database. */
export async function restoreDatabase(version: string): Promise<TestDatabase> {
  const database = await createTestDatabase('template0');
  const sql = gunzipSync(readFileSync(getDumpUrl(version))).toString();
  await withDatabase(database.url, (client) => client.query(sql));
  return database;
}
