import { parseBaseUrl } from './base-url.ts';
import { ParleyError } from './errors.ts';
import { URL_SETTING, type InternalOptions } from './options.ts';

const DEFAULT_URL = 'http://localhost:3000';

interface Runtime {
  process?: { env?: Readonly<Record<string, string | undefined>> };
}

/**
 * Whether the SDK runs in a web page or its worker. These have no environment variables, and send their own
 * user agent.
 */
export const isBrowser = 'document' in globalThis || 'importScripts' in globalThis;

/** The URL of Parley. */
export interface Address {
  baseUrl: string;
  /** Name of the option or variable that sets the server's URL, for error messages. */
  urlSetting: string;
}

/**
 * Returns the URL of the Parley server: the option, or else `PARLEY_URL`, or else the URL of a server on this
 * machine.
 * @throws ParleyError if the URL cannot be an address of Parley, or is missing in a browser
 */
export function resolveAddress({ baseUrl, [URL_SETTING]: urlSetting }: InternalOptions): Address {
  const found = baseUrl ? { name: urlSetting ?? 'baseUrl', text: baseUrl } : findEnvironmentUrl();
  if (found !== undefined) {
    const parsed = parseBaseUrl(found.text, found.name);
    if ('fault' in parsed) throw new ParleyError(parsed.fault);
    return { baseUrl: parsed.url, urlSetting: found.name };
  }
  if (isBrowser) throw new ParleyError('Pass baseUrl to new Parley(); browsers have no PARLEY_URL.');
  return { baseUrl: DEFAULT_URL, urlSetting: 'PARLEY_URL or baseUrl' };
}

/**
 * Returns the API key: the option, or else `PARLEY_API_KEY`, which is only sent to the URL in the
 * environment.
 * @param baseUrl normalized URL of Parley
 */
export function resolveApiKey(option: string | undefined, baseUrl: string): string | undefined {
  if (option) return option;
  const variable = findEnvironmentUrl();
  const own = variable === undefined ? { url: baseUrl } : parseBaseUrl(variable.text, variable.name);
  return 'url' in own && own.url === baseUrl ? readVariable('PARLEY_API_KEY') : undefined;
}

function findEnvironmentUrl(): { name: string; text: string } | undefined {
  // The variable PARLEY_BASE_URL is a setting of the Parley server itself.
  for (const name of ['PARLEY_URL', 'PARLEY_BASE_URL']) {
    const text = readVariable(name);
    if (text !== undefined) return { name, text };
  }
  return undefined;
}

/**
 * Reads an environment variable, which Node.js, Bun and Deno have. Deno throws without the permission to read
 * them.
 */
function readVariable(name: string): string | undefined {
  try {
    return (globalThis as Runtime).process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}
