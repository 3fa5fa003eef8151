import { loadSettings, SettingsError } from '../core/settings.ts';
import { LaunchError } from './launcher/launch-error.ts';
import { Launcher } from './launcher/launcher.ts';
import { say } from './launcher/progress.ts';

const PARENT_CHECK_MS = 500;

/** Runs Parley until a signal, or a failure that restarts do not mend. */
async function main(): Promise<number> {
  const launcher = new Launcher(loadSettings(process.env), say);
  const asked = stopRequests(() => void launcher.kill().finally(() => process.exit(1)));
  try {
    await Promise.race([launcher.run(), asked]);
    return 0;
  } catch (error) {
    say(`\n${explain(error)}`);
    return 1;
  } finally {
    await launcher.stop();
  }
}

/** Resolves at the first request to stop; `force` is called at the second. */
function stopRequests(force: () => void): Promise<void> {
  return new Promise((resolve) => {
    let requests = 0;
    const request = (): void => {
      requests += 1;
      if (requests > 1) return force();
      say('\nStopping Parley; press Ctrl-C again to force it.');
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
    if (process.env['npm_lifecycle_event']) watchParent(request);
  });
}

/** npm's shell does not pass SIGTERM on; it just goes. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, PARENT_CHECK_MS);
  timer.unref();
}

function explain(error: unknown): string {
  if (error instanceof SettingsError || error instanceof LaunchError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

process.umask(0o077);
process.stdout.on('error', () => {});
try {
  process.exit(await main());
} catch (error) {
  say(explain(error));
  process.exit(1);
}
