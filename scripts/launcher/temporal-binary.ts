import { execFile, spawn, type SpawnOptions } from 'node:child_process';
import { accessSync, constants, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LaunchError } from './launch-error.ts';
import { keepSaying } from './progress.ts';
import { projectRoot } from './project-root.ts';
import { downloadTemporal } from './temporal-download.ts';

export interface TemporalBinaryOptions {
  /** Looked into for `bin/temporal`. */
  home?: string;
  env: Record<string, string | undefined>;
  say: (line: string) => void;
  /** Cancels a download or build. */
  signal?: AbortSignal;
}

const VERSION = '1.5.1';
const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
const TOOL = 'github.com/temporalio/cli/cmd/temporal';

const run = promisify(execFile);

/**
 * The `temporal` program: on the PATH, kept from before, downloaded, or built with Go; kept for the next time.
 * @throws LaunchError saying what to install when there is no way to get it.
 */
export async function resolveTemporalBinary(options: TemporalBinaryOptions): Promise<string> {
  const kept = join(
    cacheFolder(options.env),
    `temporal-${VERSION}-${process.platform}-${process.arch}`,
    PROGRAM,
  );
  const folders = (options.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    ...folders.map((folder) => join(folder, PROGRAM)),
    ...(options.home === undefined ? [] : [join(options.home, 'bin', PROGRAM)]),
    kept,
  ];
  for (const candidate of candidates)
    if (isProgram(candidate) && (await answers(candidate))) return candidate;
  const failures: string[] = [];
  for (const obtain of [download, buildWithGo]) {
    try {
      mkdirSync(join(kept, '..'), { recursive: true });
      await obtain(kept, options);
      return kept;
    } catch (error) {
      options.signal?.throwIfAborted();
      failures.push((error as Error).message);
    }
  }
  throw new LaunchError(
    `Parley needs a Temporal server, and none could be had:\n${failures.map((line) => `  - ${line}`).join('\n')}\n` +
      'Install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on the PATH, or install Go 1.21 or later ' +
      'so that Parley can build it, or set TEMPORAL_ADDRESS to a server of your own.',
  );
}

function cacheFolder(env: Record<string, string | undefined>): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'parley');
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function answers(program: string): Promise<boolean> {
  try {
    await run(program, ['--version'], { timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

async function download(target: string, { say, signal }: TemporalBinaryOptions): Promise<void> {
  say(`Downloading Temporal ${VERSION} …`);
  await downloadTemporal(VERSION, target, signal);
}

async function buildWithGo(target: string, { env, say, signal }: TemporalBinaryOptions): Promise<void> {
  try {
    await run('go', ['version'], { env });
  } catch (error) {
    throw new Error('Go is not installed, so it cannot be built either.', { cause: error });
  }
  const part = `${target}.${process.pid}`;
  const stopSaying = keepSaying(
    say,
    `Building Temporal ${VERSION} with Go; this takes about two minutes, once`,
  );
  try {
    const folder = fileURLToPath(new URL('tools/temporal', projectRoot()));
    await runGroup('go', ['build', '-o', part, TOOL], { cwd: folder, env }, signal);
    renameSync(part, target);
  } finally {
    stopSaying();
    rmSync(part, { force: true });
  }
}

/** Runs a command that has helpers of its own; when it is cancelled, they end with it. */
function runGroup(
  command: string,
  args: string[],
  options: SpawnOptions,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    const cancel = (): void => void (child.pid && process.kill(-child.pid, 'SIGTERM'));
    signal?.addEventListener('abort', cancel);
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', cancel);
      const lastLines = output.trim().split('\n').slice(-5).join('\n      ');
      if (code === 0) resolve();
      else reject(new Error(`Building it with ${command} failed:\n      ${lastLines}`));
    });
  });
}
