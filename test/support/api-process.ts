import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { settingDefinitions } from '../../core/settings/setting-definitions.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { buildProgramArguments } from './program.ts';
import { findChangedValues } from './test-settings.ts';

export interface ApiProcess {
  baseUrl: string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts the API with these settings in a separate operating-system process.
 * @param clockAheadMs offset of the process's clock
 */
export async function startApiProcess(settings: Settings, clockAheadMs = 0): Promise<ApiProcess> {
  const child = spawn(
    process.execPath,
    buildProgramArguments('api', { clockAheadMs, values: findChangedValues(settings) }),
    {
      env: { ...process.env, ...toEnvironment(settings), PARLEY_LOG_LEVEL: 'info' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  process.once('exit', () => child.kill());
  const exited = once(child, 'exit');
  const lines = createInterface(child.stderr);
  const [line] = (await Promise.race([once(lines, 'line'), exited])) as [unknown];
  if (typeof line !== 'string') throw new Error('The API process did not start.');
  const { port } = JSON.parse(line) as { port: number };
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: async (signal) => {
      child.kill(signal);
      await exited;
    },
  };
}

/** Returns the environment variables that set these settings. */
export function toEnvironment(settings: Settings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settingDefinitions)
      .map(([name, { env }]) => [env, settings[name as keyof Settings]] as const)
      .filter(([, value]) => value !== undefined)
      .map(([env, value]) => [env, String(value)]),
  );
}
