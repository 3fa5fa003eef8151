import type { Settings } from '../../core/settings/settings.ts';
import { toEnvironment, startApiProcess, type ApiProcess } from './api-process.ts';
import { findChangedValues } from './test-settings.ts';
import { WorkerProcess } from './worker.ts';

/** The API and the worker as separate operating-system processes with an adjustable clock. */
export class ParleyProcesses {
  readonly #settings: Settings;
  #api: ApiProcess;
  #worker: WorkerProcess;

  private constructor(settings: Settings, api: ApiProcess, worker: WorkerProcess) {
    this.#settings = settings;
    this.#api = api;
    this.#worker = worker;
  }

  /** @param settings settings with a fixed port, which the API also has after a restart */
  static async start(settings: Settings): Promise<ParleyProcesses> {
    return new ParleyProcesses(settings, await startApiProcess(settings), startWorkerProcess(settings));
  }

  /** Stops the API and the worker as a deployment does, and restarts them with a later clock. */
  async restartAt(time: Date): Promise<void> {
    await this.stop();
    const clockAheadMs = time.getTime() - Date.now();
    this.#api = await startApiProcess(this.#settings, clockAheadMs);
    this.#worker = startWorkerProcess(this.#settings, clockAheadMs);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#worker.end('SIGTERM'), this.#api.stop('SIGTERM')]);
  }
}

function startWorkerProcess(settings: Settings, clockAheadMs = 0): WorkerProcess {
  return new WorkerProcess(
    settings,
    { ...toEnvironment(settings), ...findChangedValues(settings) },
    { clockAheadMs },
  );
}
