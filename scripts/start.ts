import { loadSettings, SettingsError } from '../core/settings/settings.ts';
import { LaunchError } from './launcher/launch-error.ts';
import { Launcher } from './launcher/launcher.ts';
import { readCommandLine, findParentPid } from './launcher/process-identity.ts';
import { say } from './launcher/progress.ts';

const NPM_CHECK_MS = 500;

/** Runs Parley until a signal requests a stop or a part of Parley keeps failing. */
async function main(): Promise<number> {
  const launcher = new Launcher(loadSettings(process.env), say);
  const stopRequest = waitForStopRequest(() => void launcher.kill().finally(() => process.exit(1)));
  try {
    await Promise.race([launcher.run(), stopRequest]);
    return 0;
  } catch (error) {
    say(`\n${formatError(error)}`);
    return 1;
  } finally {
    await launcher.stop();
  }
}

/**
 * Resolves at the first signal that requests a stop, or when npm dies.
 * @param force called at the second signal
 */
function waitForStopRequest(force: () => void): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const requestStop = (): void => {
      if (!isStopping) say('\nStopping Parley; press Ctrl-C again to kill it.');
      isStopping = true;
      resolve();
    };
    const onSignal = (): void => (isStopping ? force() : requestStop());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    if (process.env['npm_lifecycle_event']) watchNpm(requestStop);
  });
}

/**
 * Calls `onGone` when the npm process that has started Parley dies. npm and its shell do not forward the
 * SIGTERM that ends npm.
 */
function watchNpm(onGone: () => void): void {
  const shell = process.ppid;
  const npm = /^(\S*\/)?sh -c /.test(readCommandLine(shell)) ? findParentPid(shell) : undefined;
  const timer = setInterval(() => {
    if (process.ppid === shell && (npm === undefined || findParentPid(shell) === npm)) return;
    clearInterval(timer);
    onGone();
  }, NPM_CHECK_MS);
  timer.unref();
}

function formatError(error: unknown): string {
  if (error instanceof SettingsError || error instanceof LaunchError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

process.umask(0o077);
process.stdout.on('error', () => {});
try {
  process.exit(await main());
} catch (error) {
  say(formatError(error));
  process.exit(1);
}
