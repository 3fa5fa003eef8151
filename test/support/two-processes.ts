import { startApiProcess, type ApiProcess } from './api-process.ts';
import { startParley, type TestParley } from './parley.ts';

interface TwoProcesses {
  parley: TestParley;
  processes: ApiProcess[];
}

/** Sets up, around the tests of a `describe`, two API processes on one database, the second with its clock ahead. */
export function useTwoProcesses(
  env: Record<string, string>,
  aheadMs: number,
  onStarted: (started: TwoProcesses) => void,
): void {
  let parley: TestParley;
  let processes: ApiProcess[] = [];
  before(async () => {
    parley = await startParley(env, { hasStoppedClock: true });
    const { settings } = parley.runtime;
    processes = await Promise.all([startApiProcess(settings), startApiProcess(settings, aheadMs)]);
    onStarted({ parley, processes });
  });
  after(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await parley.stop();
  });
}
