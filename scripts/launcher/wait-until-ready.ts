import { setTimeout as delay } from 'node:timers/promises';
import { describeExit, type GuardedProcess } from './guarded-process.ts';
import { LaunchError } from './launch-error.ts';

const POLL_MS = 40;

/**
 * Repeats `probe`, a check whether a service is ready, until `probe` no longer throws.
 * @throws LaunchError with the last log lines if the process exits first or `timeoutMs` passes
 */
export async function waitUntilReady(
  process: GuardedProcess,
  label: string,
  timeoutMs: number,
  probe: () => Promise<void>,
): Promise<void> {
  let exit: string | undefined;
  void process.exited.then((end) => (exit = describeExit(end)));
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (exit !== undefined)
      throw new LaunchError(appendLogTail(`${label} ended while starting (${exit}).`, process));
    try {
      return await probe();
    } catch (error) {
      if (Date.now() > deadline) {
        const problem = `${label} did not become ready within ${timeoutMs / 1000} s (${(error as Error).message}).`;
        throw new LaunchError(appendLogTail(problem, process), { cause: error });
      }
    }
    await delay(POLL_MS);
  }
}

export function appendLogTail(problem: string, process: GuardedProcess): string {
  const tail = process.logTail();
  return tail ? `${problem} Its last log lines:\n${tail.replace(/^/gm, '    ')}` : problem;
}
