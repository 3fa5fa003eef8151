import type { Settings } from '../../core/settings/settings.ts';
import { environmentOf, startApiProcess, type ApiProcess } from './api-process.ts';
import { changedValues } from './test-settings.ts';
import { WorkerProcess } from './worker.ts';

/** The API and the worker as processes of the operating system, whose clock can be moved. */
export class ParleyProcesses {
  readonly #settings: Settings;
  #api: ApiProcess;
  #worker: WorkerProcess;

  private constructor(settings: Settings, api: ApiProcess, worker: WorkerProcess) {
    this.#settings = settings;
    this.#api = api;
    this.#worker = worker;
  }

  /** @param settings with the port that the API has, also when it is started again */
  static async start(settings: Settings): Promise<ParleyProcesses> {
    return new ParleyProcesses(settings, await startApiProcess(settings), workerOf(settings));
  }

  /** Ends both as a deployment does, and starts them at a later time. */
  async goOnAt(time: Date): Promise<void> {
    await this.stop();
    const clockAheadMs = time.getTime() - Date.now();
    this.#api = await startApiProcess(this.#settings, clockAheadMs);
    this.#worker = workerOf(this.#settings, clockAheadMs);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#worker.end('SIGTERM'), this.#api.stop('SIGTERM')]);
  }
}

function workerOf(settings: Settings, clockAheadMs = 0): WorkerProcess {
  return new WorkerProcess(
    settings,
    { ...environmentOf(settings), ...changedValues(settings) },
    { clockAheadMs },
  );
}
