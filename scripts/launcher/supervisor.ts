import { setTimeout as delay } from 'node:timers/promises';
import { describeExit, type GuardedProcess } from './guarded-process.ts';
import { LaunchError } from './launch-error.ts';
import { appendLogTail } from './wait-until-ready.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';

/** A process of Parley that the supervisor starts and restarts. */
export interface Service {
  readonly name: string;
  readonly label: string;
  /** Runs before each start of the service's process. */
  prepare?(): Promise<void>;
  spawn(): GuardedProcess;
  /**
   * Resolves when the started process can be used.
   * @throws LaunchError if the process exits or takes too long
   */
  ready(process: GuardedProcess): Promise<void>;
}

/** Maximum number of consecutive failed attempts to restart a service. After that, Parley stops. */
const MAX_FAILED_STARTS = 5;
/**
 * Time in milliseconds within which exits of a service count. The more exits, the longer the pause before the
 * next restart.
 */
const DEATH_WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 4000;

/** Starts the services (processes of Parley), restarts services that exit, and stops all services. */
export class Supervisor {
  /** Rejects when a service has failed too often and is not restarted. */
  readonly failed: Promise<never>;
  readonly #report: (line: string) => void;
  readonly #maxPauseMs: number;
  readonly #running = new Map<Service, GuardedProcess>();
  #isStopping = false;
  #fail!: (error: Error) => void;

  constructor(say: (line: string) => void, maxPauseMs = MAX_PAUSE_MS) {
    this.#report = say;
    this.#maxPauseMs = maxPauseMs;
    this.failed = new Promise((_resolve, reject) => (this.#fail = reject));
    this.failed.catch(() => {});
  }

  /**
   * Starts a service and restarts it whenever it exits. Resolves when the service is ready for the first
   * time.
   */
  async start(service: Service): Promise<void> {
    const process = await this.#startProcess(service);
    void this.#restartOnExit(service, process);
  }

  /**
   * Stops the given services concurrently and waits for their exit. From then on, no service is restarted.
   */
  async stop(isIncluded: (service: Service) => boolean = () => true): Promise<void> {
    this.#isStopping = true;
    const chosenServices = [...this.#running].filter(([service]) => isIncluded(service));
    await Promise.all(chosenServices.map(([, process]) => process.stop()));
  }

  async kill(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#running.values()].map((process) => process.kill()));
  }

  #startProcess(service: Service): Promise<GuardedProcess> {
    return startOnce(service, () => {
      if (this.#isStopping) throw new LaunchError('Parley is stopping.');
      const process = service.spawn();
      this.#running.set(service, process);
      return process;
    });
  }

  async #restartOnExit(service: Service, first: GuardedProcess): Promise<void> {
    let exitTimes: number[] = [];
    let running: GuardedProcess | undefined = first;
    while (running) {
      const exit = await running.exited;
      if (this.#isStopping) return;
      const now = Date.now();
      exitTimes = [...exitTimes.filter((at) => at > now - DEATH_WINDOW_MS), now];
      const problem = appendLogTail(`${service.label} ended unexpectedly (${describeExit(exit)}).`, running);
      running = await this.#restart(service, problem, exitTimes.length);
    }
  }

  /**
   * Restarts a service.
   * @returns undefined if Parley stops during the attempts, or if all attempts fail
   */
  async #restart(service: Service, problem: string, deaths: number): Promise<GuardedProcess | undefined> {
    for (let failures = 0; failures < MAX_FAILED_STARTS; failures += 1) {
      this.#report(`${problem.split('\n', 1)[0]?.replace(/ Its last log lines:$/, '')} Restarting it.`);
      await delay(backoffMs(deaths + failures - 1, { firstMs: FIRST_PAUSE_MS, maxMs: this.#maxPauseMs }));
      try {
        const running = await this.#startProcess(service);
        this.#report(`${service.label} is running again.`);
        return running;
      } catch (error) {
        if (this.#isStopping) return undefined;
        problem = (error as Error).message;
      }
    }
    this.#fail(
      new LaunchError(
        `${service.label} could not be started ${MAX_FAILED_STARTS} times in a row. ${problem}`,
      ),
    );
    return undefined;
  }
}

/** Starts a service that the launcher does not restart after an exit. */
export async function startOnce(
  service: Service,
  spawn: () => GuardedProcess = () => service.spawn(),
): Promise<GuardedProcess> {
  await service.prepare?.();
  const process = spawn();
  try {
    await service.ready(process);
    return process;
  } catch (error) {
    await process.stop();
    throw error;
  }
}
