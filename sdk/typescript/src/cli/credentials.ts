import { chmodSync, existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { normalizeUrl } from './address.ts';
import { UsageError, type Credentials, type CommandEnvironment } from './command.ts';
import { explain, readText } from './files.ts';
import { parseJsonText } from './option-values.ts';

interface StoredCredentials {
  url?: string;
  api_key?: string;
}

/** Default URL of a Parley server: one on this machine. */
export const DEFAULT_URL = 'http://localhost:3000';
/** Environment variable with the server's URL, which error messages name. */
export const URL_VARIABLE = 'PARLEY_URL';
/** Permission bits of a file for users other than its owner. */
const OTHERS_PERMISSIONS = 0o077;

export function resolveCredentialsFile({ env, home }: Pick<CommandEnvironment, 'env' | 'home'>): string {
  const configured = env['XDG_CONFIG_HOME'] ?? '';
  // The XDG specification ignores relative paths. Ignoring them also prevents reading a key from the working
  // directory.
  const folder = isAbsolute(configured) ? configured : join(home, '.config');
  return join(folder, 'parley', 'credentials.json');
}

/**
 * Reads the server's URL and API key, both from the environment or both from the file. A key is thus only
 * sent to its own server.
 * @throws UsageError if URL and key would come from different sources, or if the file is readable by others
 *   or invalid
 */
export function readCredentials(environment: Pick<CommandEnvironment, 'env' | 'home'>): Credentials {
  const { PARLEY_URL: url, PARLEY_API_KEY: apiKey } = environment.env;
  if (url && apiKey) return { baseUrl: normalizeUrl(url, URL_VARIABLE), apiKey };
  const file = resolveCredentialsFile(environment);
  const stored = readFile(file);
  const storedUrl = normalizeUrl(stored.url || DEFAULT_URL, file);
  if (apiKey) {
    if (stored.url && storedUrl !== DEFAULT_URL && apiKey !== stored.api_key)
      throw new UsageError(
        `PARLEY_API_KEY is set without PARLEY_URL, but ${file} is for ${storedUrl}. Set PARLEY_URL to the address of the server that the key is for.`,
      );
    return { baseUrl: storedUrl, apiKey };
  }
  const baseUrl = url ? normalizeUrl(url, URL_VARIABLE) : storedUrl;
  if (stored.api_key && baseUrl !== storedUrl)
    throw new UsageError(
      `PARLEY_URL is ${baseUrl}, but the key in ${file} is for ${storedUrl}. Set PARLEY_API_KEY to a key of ${baseUrl}, unset PARLEY_URL, or store another key with parley login.`,
    );
  return { baseUrl, apiKey: stored.api_key || undefined };
}

/**
 * Returns the server's URL to store with a new API key: from the environment, or the default.
 * @throws UsageError if the URL is invalid
 */
export function readUrlToStore({ env }: Pick<CommandEnvironment, 'env'>): string {
  return normalizeUrl(env[URL_VARIABLE] || DEFAULT_URL, URL_VARIABLE);
}

/** Stores the server's URL and API key in a file that only its owner can ever read. */
export function writeCredentials(
  environment: Pick<CommandEnvironment, 'env' | 'home'>,
  { baseUrl, apiKey }: Credentials,
): string {
  const file = resolveCredentialsFile(environment);
  const content = `${JSON.stringify({ url: baseUrl, api_key: apiKey }, null, 2)}\n`;
  explain(file, 'write', () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const temporaryFile = `${file}.${process.pid}`;
    writeFileSync(temporaryFile, content, { mode: 0o600 });
    chmodSync(temporaryFile, 0o600);
    renameSync(temporaryFile, file);
  });
  return file;
}

/** @throws UsageError if the file with the API key is readable by others or invalid */
function readFile(file: string): StoredCredentials {
  if (!existsSync(file)) return {};
  if (process.platform !== 'win32' && (statSync(file).mode & OTHERS_PERMISSIONS) !== 0)
    throw new UsageError(`Other users can read ${file}, which contains a key. Run chmod 600 on the file.`);
  const content = parseJsonText(readText(file), file);
  if (typeof content !== 'object')
    throw new UsageError(`${file} contains no key. Store a key with parley login.`);
  return content ?? {};
}
