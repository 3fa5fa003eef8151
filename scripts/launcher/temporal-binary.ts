import { execFile, spawn, type SpawnOptions } from 'node:child_process';
import { accessSync, constants, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LaunchError } from './launch-error.ts';
import { repeatStatus } from './progress.ts';
import { projectRoot } from './project-root.ts';
import { downloadTemporal } from './temporal-download.ts';

export interface TemporalBinaryOptions {
  /** Folder of Parley's data, which may contain `bin/temporal`. */
  home?: string;
  env: Record<string, string | undefined>;
  report: (line: string) => void;
  /** Signal that cancels the download or build of the program `temporal`. */
  signal?: AbortSignal;
}

const VERSION = '1.5.1';
const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
const TOOL = 'github.com/temporalio/cli/cmd/temporal';

const run = promisify(execFile);

/**
 * Returns the path of the `temporal` program: a program found on this machine, a downloaded program, or a
 * program built with Go.
 * @throws LaunchError if `PARLEY_TEMPORAL_BINARY` names no program that runs, or if no way to get the program
 *   works
 */
export async function resolveTemporalBinary(options: TemporalBinaryOptions): Promise<string> {
  return (await findTemporalBinary(options)) ?? (await obtainTemporalBinary(options));
}

/**
 * Looks for the program `temporal` in `PARLEY_TEMPORAL_BINARY`, or on the PATH, in `home` and in the cache.
 * @returns path of the program, or undefined if this machine has none
 * @throws LaunchError if `PARLEY_TEMPORAL_BINARY` names no program that runs
 */
export async function findTemporalBinary({
  env,
  home,
}: Pick<TemporalBinaryOptions, 'env' | 'home'>): Promise<string | undefined> {
  const configured = env['PARLEY_TEMPORAL_BINARY'];
  if (configured) {
    if (await isRunnable(configured)) return configured;
    throw new LaunchError(
      `PARLEY_TEMPORAL_BINARY names ${configured}, which is not a working Temporal CLI. ` +
        'Set the full path of the `temporal` program (https://docs.temporal.io/cli), or unset the variable.',
    );
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    ...folders.map((folder) => join(folder, PROGRAM)),
    ...(home === undefined ? [] : [join(home, 'bin', PROGRAM)]),
    cachedProgram(env),
  ];
  for (const candidate of candidates) if (await isRunnable(candidate)) return candidate;
  return undefined;
}

/**
 * Downloads the `temporal` program into the cache, or builds it there with Go.
 * @throws LaunchError that says what to install
 */
export async function obtainTemporalBinary(options: TemporalBinaryOptions): Promise<string> {
  const cachedPath = cachedProgram(options.env);
  const failures: string[] = [];
  for (const obtain of [downloadBinary, buildWithGo]) {
    try {
      mkdirSync(join(cachedPath, '..'), { recursive: true });
      await obtain(cachedPath, options);
      return cachedPath;
    } catch (error) {
      options.signal?.throwIfAborted();
      failures.push((error as Error).message);
    }
  }
  throw new LaunchError(
    `Parley needs a Temporal server, but could not get one:\n${failures.map((line) => `  - ${line}`).join('\n')}\n` +
      'Install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on the PATH, or install Go 1.21 or later ' +
      'so that Parley can build it, or set PARLEY_TEMPORAL_BINARY to an existing program, or TEMPORAL_ADDRESS to your own server.',
  );
}

function cachedProgram(env: Record<string, string | undefined>): string {
  const cache = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'parley');
  return join(cache, `temporal-${VERSION}-${process.platform}-${process.arch}`, PROGRAM);
}

async function isRunnable(program: string): Promise<boolean> {
  try {
    accessSync(program, constants.X_OK);
    await run(program, ['--version'], { timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

async function downloadBinary(target: string, { report, signal }: TemporalBinaryOptions): Promise<void> {
  report(`Downloading Temporal ${VERSION} …`);
  await downloadTemporal(VERSION, target, signal);
}

async function buildWithGo(target: string, { env, report, signal }: TemporalBinaryOptions): Promise<void> {
  try {
    await run('go', ['version'], { env });
  } catch (error) {
    throw new Error('Go is not installed, so Temporal cannot be built either.', { cause: error });
  }
  const part = `${target}.${process.pid}`;
  const stopStatus = repeatStatus(
    report,
    `Building Temporal ${VERSION} with Go; this takes two to four minutes on two cores, but only once`,
  );
  try {
    const folder = fileURLToPath(new URL('tools/temporal', projectRoot()));
    await runGroup('go', ['build', '-trimpath', '-o', part, TOOL], { cwd: folder, env }, signal);
    renameSync(part, target);
  } finally {
    stopStatus();
    rmSync(part, { force: true });
  }
}

/** Runs a command in a separate process group, so that canceling the command also stops its child processes. */
function runGroup(
  command: string,
  args: string[],
  options: SpawnOptions,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    const killChild = (): void => void (child.pid && process.kill(-child.pid, 'SIGTERM'));
    signal?.addEventListener('abort', killChild);
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', killChild);
      const lastLines = output.trim().split('\n').slice(-5).join('\n      ');
      if (code === 0) resolve();
      else reject(new Error(`Building Temporal with ${command} failed:\n      ${lastLines}`));
    });
  });
}
