import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../scripts/launcher/process-identity.ts';
import { startTemporaryParley } from '../../scripts/launcher/temporary-parley.ts';
import { buildEnvironment } from '../../test/support/program.ts';
import { splitSettings, type TestSettings } from '../../test/support/test-settings.ts';

/** A complete running Parley that a bench measures. */
export interface Installation {
  apiUrl: string;
  apiKey: string;
  databaseUrl: string;
  /** Environment variables of the installation's processes. */
  environment: Record<string, string>;
  folder: string;
  stop(): Promise<void>;
}

/** Settings with rate limits high enough for the benches' load. */
const WIDE_OPEN = {
  PARLEY_RATE_LIMIT_PER_MINUTE: '10000000',
  PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '10000000',
  PARLEY_WIDGET_SESSIONS_PER_HOUR: '10000000',
};

export async function startInstallation(changes: TestSettings = {}): Promise<Installation> {
  const own = splitSettings({ ...WIDE_OPEN, ...changes });
  const { baseUrl, apiKey, environment, folder, stop } = await startTemporaryParley({
    env: { ...buildEnvironment(own.values), ...own.env },
  });
  return {
    apiUrl: baseUrl.replace('localhost', '127.0.0.1'),
    apiKey,
    databaseUrl: environment['DATABASE_URL'] ?? '',
    environment,
    folder,
    stop,
  };
}

/**
 * Calls an API operation with the installation's API key.
 * @throws Error if the call is refused
 */
export async function call<T>(
  { apiUrl, apiKey }: Installation,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(apiUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

/**
 * Returns the worker's peak resident memory in MB since its start or the last reset, or null if the system does not
 * count it.
 */
export function readWorkerPeakMegabytes(installation: Installation): number | null {
  return readMegabytes(installation, 'worker', 'VmHWM');
}

/** Resets the peak memory that `readWorkerPeakMegabytes` returns, if the operating system can. */
export function resetWorkerPeak(installation: Installation): void {
  for (const { pid } of readProcessIds(installation, 'worker')) {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
    } catch {
      // Keep the peak memory since the start, which is an upper bound.
    }
  }
}

/** Returns the API's resident memory in MB, or null if the system does not count it. */
export function readApiMegabytes(installation: Installation): number | null {
  return readMegabytes(installation, 'api', 'VmRSS');
}

function readMegabytes(
  installation: Installation,
  program: 'api' | 'worker',
  field: 'VmHWM' | 'VmRSS',
): number | null {
  try {
    const sizes = readProcessIds(installation, program).map(({ pid }) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
    });
    return Math.max(...sizes);
  } catch {
    return null;
  }
}

function readProcessIds({ folder }: Installation, program: 'api' | 'worker'): ProcessIdentity[] {
  return JSON.parse(readFileSync(join(folder, `run/${program}.json`), 'utf8')) as ProcessIdentity[];
}
