import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generateApiKey } from '../../adapters/keys/api-key.ts';
import { NO_MODEL } from '../../core/settings/embedding-settings.ts';
import { Home } from './home.ts';
import { freePorts } from './ports.ts';
import { projectRoot } from './project-root.ts';

export interface TemporaryParley {
  baseUrl: string;
  temporalUi: string;
  apiKey: string;
  folder: string;
  /** The environment of its processes. */
  environment: Record<string, string>;
  /** Stops it, and removes the folder if it was made here. */
  stop(): Promise<void>;
}

export interface TemporaryParleyOptions {
  env?: Record<string, string>;
  /** Its PARLEY_HOME; by default a new one. */
  folder?: string;
  /** Hears what the start prints. */
  say?: (line: string) => void;
  signal?: AbortSignal;
}

/**
 * Starts a whole Parley on a folder and ports of its own, allowed to reach this machine: for the demo and the benches.
 * @throws Error when it does not come up
 */
export async function startTemporaryParley(options: TemporaryParleyOptions = {}): Promise<TemporaryParley> {
  const { env = {}, say, signal } = options;
  const folder = options.folder ?? makeFolder();
  const apiKey = generateApiKey();
  const [port, temporalUiPort, temporalPort, databasePort] = (await freePorts(4)).map(String);
  const launcher = spawn(process.execPath, [fileURLToPath(new URL('dist/scripts/start.js', projectRoot()))], {
    env: {
      ...inheritedEnvironment(),
      PARLEY_HOME: folder,
      PARLEY_OUTBOUND_ALLOW: '127.0.0.0/8',
      // Measured and shown is what every machine has.
      PARLEY_EMBEDDING_MODEL_PATH: NO_MODEL,
      PARLEY_BOOTSTRAP_API_KEY: apiKey,
      PORT: port,
      TEMPORAL_UI_PORT: temporalUiPort,
      TEMPORAL_PORT: temporalPort,
      DATABASE_PORT: databasePort,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: at Ctrl-C the caller ends first, then stops what it started.
    detached: true,
  });
  const exited = once(launcher, 'exit');
  const end = async (): Promise<void> => {
    launcher.kill();
    await exited;
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  let ending: Promise<void> | undefined;
  const stop = (): Promise<void> => (ending ??= end());
  signal?.addEventListener('abort', () => void stop());
  const home = new Home(folder);
  for await (const line of createInterface(launcher.stdout)) {
    const environment = home.runningEnvironment();
    if ('PORT' in environment) {
      launcher.stdout.resume();
      const temporalUi = `http://127.0.0.1:${temporalUiPort}`;
      return { baseUrl: `http://localhost:${port}`, temporalUi, apiKey, folder, environment, stop };
    }
    if (line) say?.(line);
  }
  await stop();
  throw new Error('The temporary Parley did not come up.');
}

/** A new folder that the account of an embedded PostgreSQL may pass, too. */
export function makeFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'parley-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Without what would make it somebody else's Parley; a model that is set up stays. */
function inheritedEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !name.startsWith('DATABASE_') &&
        !name.startsWith('TEMPORAL_') &&
        (!name.startsWith('PARLEY_') || name.startsWith('PARLEY_MODEL')),
    ),
  );
}
