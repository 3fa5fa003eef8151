import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from '../../scripts/launcher/process-identity.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { buildEnvironment } from './program.ts';
import { splitSettings, type TestSettings } from './test-settings.ts';

const START = fileURLToPath(new URL('../../dist/scripts/start.js', import.meta.url));

/** A Parley that the compiled `npm start` runs, with its own folder and ports. */
export class LaunchedParley {
  readonly home: string;
  readonly baseUrl: string;
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  output = '';
  readonly #process: ChildProcess;

  private constructor(home: string, env: Record<string, string | undefined>) {
    this.home = home;
    this.baseUrl = `http://localhost:${env['PORT']}`;
    this.#process = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exited = new Promise((resolve) =>
      this.#process.once('close', (code, signal) => resolve({ code, signal })),
    );
  }

  static launch(home: string, overrides: TestSettings = {}): LaunchedParley {
    const { npm_lifecycle_event: _, ...env } = process.env;
    const changes = splitSettings(overrides);
    return new LaunchedParley(home, {
      ...env,
      PARLEY_HOME: home,
      PARLEY_LOG_LEVEL: 'warn',
      PARLEY_EMBEDDING_MODEL_PATH: 'none',
      ...buildEnvironment(changes.values),
      ...changes.env,
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Waits until the output of `npm start` contains the text. */
  async waitForOutput(text: string, timeoutMs = 120_000): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    let hasEnded = false;
    void this.exited.then(() => (hasEnded = true));
    while (!this.output.includes(text)) {
      if (hasEnded || Date.now() > deadline)
        throw new Error(`It never printed "${text}" but:\n${this.output}`);
      await delay(25);
    }
  }

  /** Returns the guard process with this name, and the process that it guards. */
  readProcesses(name: string): ProcessIdentity[] {
    const file = join(this.home, 'run', `${name}.json`);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity[]) : [];
  }

  listRunningProcesses(): ProcessIdentity[] {
    const folder = join(this.home, 'run');
    const names = existsSync(folder) ? readdirSync(folder).map((file) => file.replace(/\.json$/, '')) : [];
    return names.flatMap((name) => this.readProcesses(name)).filter(isRunning);
  }
}

/** Finds free ports and returns them as settings of Parley. */
export async function findPortSettings(): Promise<Record<string, string>> {
  const settings = ['PORT', 'DATABASE_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'];
  const ports = await findFreePorts(settings.length);
  return Object.fromEntries(settings.map((name, index) => [name, String(ports[index])]));
}
