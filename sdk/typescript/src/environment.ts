import { parseBaseUrl } from './base-url.ts';
import { ParleyError } from './errors.ts';

const DEFAULT_URL = 'http://localhost:3000';

interface Runtime {
  process?: { env?: Readonly<Record<string, string | undefined>> };
}

/** Pages and their workers have no environment, and send their own user agent. */
export const isBrowser = 'document' in globalThis || 'importScripts' in globalThis;

/**
 * Returns the URL of Parley: the option, or else `PARLEY_URL`, or else the URL of Parley on this machine.
 * @throws ParleyError if the URL cannot be an address of Parley, or is missing in a browser
 */
export function resolveBaseUrl(option: string | undefined): string {
  const variable = readEnvironmentUrl();
  const text = option || variable || (isBrowser ? undefined : DEFAULT_URL);
  if (text === undefined) throw new ParleyError('Pass baseUrl to new Parley(); browsers have no PARLEY_URL.');
  const parsed = parseBaseUrl(text, option ? 'baseUrl' : 'PARLEY_URL');
  if ('fault' in parsed) throw new ParleyError(parsed.fault);
  return parsed.url;
}

/**
 * Returns the API key: the option, or else `PARLEY_API_KEY`, which is only sent to the URL of the
 * environment.
 * @param baseUrl normalized URL of Parley
 */
export function resolveApiKey(option: string | undefined, baseUrl: string): string | undefined {
  if (option) return option;
  const url = readEnvironmentUrl();
  const own = url === undefined ? { url: baseUrl } : parseBaseUrl(url, 'PARLEY_URL');
  return 'url' in own && own.url === baseUrl ? readVariable('PARLEY_API_KEY') : undefined;
}

function readEnvironmentUrl(): string | undefined {
  // PARLEY_BASE_URL is the server's own setting.
  return readVariable('PARLEY_URL') ?? readVariable('PARLEY_BASE_URL');
}

/** Node.js, Bun and Deno have variables. Deno throws without the permission to read them. */
function readVariable(name: string): string | undefined {
  try {
    return (globalThis as Runtime).process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}
