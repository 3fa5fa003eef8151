import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError, type Surroundings } from './command.ts';
import { parsedJson } from './option-values.ts';

export interface Credentials {
  baseUrl: string;
  apiKey: string | undefined;
}

const DEFAULT_URL = 'http://localhost:3000';
/** Rights of anybody but the owner. */
const OTHERS = 0o077;

export function credentialsFile({ env, home }: Pick<Surroundings, 'env' | 'home'>): string {
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'parley', 'credentials.json');
}

/**
 * What the environment says, or else the file.
 * @throws UsageError for a file that others may read, or that is not what `parley login` writes
 */
export function readCredentials(around: Pick<Surroundings, 'env' | 'home'>): Credentials {
  const { PARLEY_URL: url, PARLEY_API_KEY: key } = around.env;
  const kept = key ? {} : readFile(credentialsFile(around));
  return { baseUrl: url || kept.url || DEFAULT_URL, apiKey: key || kept.api_key };
}

/** Keeps them for the owner alone. */
export function writeCredentials(
  around: Pick<Surroundings, 'env' | 'home'>,
  { baseUrl, apiKey }: Credentials,
): string {
  const file = credentialsFile(around);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify({ url: baseUrl, api_key: apiKey }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return file;
}

function readFile(file: string): { url?: string; api_key?: string } {
  if (!existsSync(file)) return {};
  if (process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0)
    throw new UsageError(`Others may read ${file}, which holds a key: chmod 600 it.`);
  const kept = parsedJson(readFileSync(file, 'utf8'), file);
  if (typeof kept !== 'object') throw new UsageError(`${file} has no key: write it with parley login.`);
  return kept ?? {};
}
