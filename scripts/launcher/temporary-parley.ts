import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generateApiKey } from '../../adapters/keys/api-key.ts';
import { NO_MODEL } from '../../core/settings/embedding-settings.ts';
import { ParleyHome } from './parley-home.ts';
import { findFreePorts } from './ports.ts';
import { projectRoot } from './project-root.ts';

export interface TemporaryParley {
  baseUrl: string;
  temporalUi: string;
  apiKey: string;
  folder: string;
  /** Environment variables of the processes of the temporary Parley. */
  environment: Record<string, string>;
  /** Stops this Parley. Removes the folder, unless the caller provided it. */
  stop(): Promise<void>;
}

export interface TemporaryParleyOptions {
  env?: Record<string, string>;
  /** Folder for all data of the temporary Parley (PARLEY_HOME); default: a temporary folder. */
  folder?: string;
  /** Callback that gets each line that the launcher prints while it starts. */
  report?: (line: string) => void;
  signal?: AbortSignal;
}

/**
 * Starts a separate Parley for the demo and the benchmarks, with its own folder and ports. Outbound requests
 * of this Parley may reach this machine.
 * @throws Error if the new Parley does not start
 */
export async function startTemporaryParley(options: TemporaryParleyOptions = {}): Promise<TemporaryParley> {
  const { env = {}, report, signal } = options;
  const folder = options.folder ?? makeFolder();
  const apiKey = generateApiKey();
  const [port, temporalUiPort, temporalPort, databasePort] = (await findFreePorts(4)).map(String);
  const launcher = spawn(process.execPath, [fileURLToPath(new URL('dist/scripts/start.js', projectRoot()))], {
    env: {
      ...inheritedEnvironment(),
      PARLEY_HOME: folder,
      PARLEY_OUTBOUND_ALLOW: '127.0.0.0/8',
      // Disable the local embedding model, so that demo and benchmarks run alike on every machine.
      PARLEY_EMBEDDING_MODEL_PATH: NO_MODEL,
      PARLEY_BOOTSTRAP_API_KEY: apiKey,
      PORT: port,
      TEMPORAL_UI_PORT: temporalUiPort,
      TEMPORAL_PORT: temporalPort,
      DATABASE_PORT: databasePort,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Start a separate process group, so that Ctrl-C reaches only the caller, which ends its own work before
    // it stops this process.
    detached: true,
  });
  const exited = once(launcher, 'exit');
  const stopLauncher = async (): Promise<void> => {
    launcher.kill();
    await exited;
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  let ending: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => (ending ??= stopLauncher());
  signal?.addEventListener('abort', () => void stopOnce());
  const home = new ParleyHome(folder);
  for await (const line of createInterface(launcher.stdout)) {
    const environment = home.readRunningEnvironment();
    if ('PORT' in environment) {
      launcher.stdout.resume();
      const temporalUi = `http://127.0.0.1:${temporalUiPort}`;
      return { baseUrl: `http://localhost:${port}`, temporalUi, apiKey, folder, environment, stop: stopOnce };
    }
    if (line) report?.(line);
  }
  await stopOnce();
  throw new Error('The temporary Parley did not become ready.');
}

/** Creates a folder that PostgreSQL's account may enter, if PostgreSQL runs with another account. */
export function makeFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'parley-'));
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * Returns the environment variables for the new Parley: without settings of another installation, except
 * those of the language model.
 */
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
