import { setTimeout as delay } from 'node:timers/promises';
import { describeExit, type GuardedProcess } from './guarded-process.ts';
import { LaunchError } from './launch-error.ts';
import { withLog } from './until-ready.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';

/** One process of Parley, and how to bring it up. */
export interface Service {
  readonly name: string;
  readonly label: string;
  /** What must be done before each start. */
  prepare?(): Promise<void>;
  spawn(): GuardedProcess;
  /** @throws LaunchError when it ends, or takes too long, before it is ready. */
  ready(process: GuardedProcess): Promise<void>;
}

/** Of starts in a row that do not get ready; what gets ready is started again however often it dies. */
const FAILURES_UNTIL_GIVING_UP = 5;
/** Deaths within this time make the pause before the next start longer. */
const DEATH_WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;

/** Brings services up, brings them up again when they die, and stops them in the reverse order of their first start. */
export class Supervisor {
  /** Rejects when a service does not get ready any more. */
  readonly failed: Promise<never>;
  readonly #say: (line: string) => void;
  readonly #longestPauseMs: number;
  readonly #running = new Map<Service, GuardedProcess>();
  #isStopping = false;
  #fail!: (error: Error) => void;

  constructor(say: (line: string) => void, longestPauseMs = LONGEST_PAUSE_MS) {
    this.#say = say;
    this.#longestPauseMs = longestPauseMs;
    this.failed = new Promise((_resolve, reject) => (this.#fail = reject));
    this.failed.catch(() => {});
  }

  /** Resolves when the service is ready for the first time. */
  async start(service: Service): Promise<void> {
    const process = await this.#bringUp(service);
    void this.#keepUp(service, process);
  }

  /** Asks these services to end, all at once, and waits for them. Nothing is brought up again afterwards. */
  async stop(isIncluded: (service: Service) => boolean = () => true): Promise<void> {
    this.#isStopping = true;
    const chosen = [...this.#running].filter(([service]) => isIncluded(service));
    await Promise.all(chosen.map(([, process]) => process.stop()));
  }

  async kill(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#running.values()].map((process) => process.kill()));
  }

  #bringUp(service: Service): Promise<GuardedProcess> {
    return startOnce(service, () => {
      if (this.#isStopping) throw new LaunchError('Parley is stopping.');
      const process = service.spawn();
      this.#running.set(service, process);
      return process;
    });
  }

  async #keepUp(service: Service, first: GuardedProcess): Promise<void> {
    let deaths: number[] = [];
    let running: GuardedProcess | undefined = first;
    while (running) {
      const exit = await running.exited;
      if (this.#isStopping) return;
      const now = Date.now();
      deaths = [...deaths.filter((at) => at > now - DEATH_WINDOW_MS), now];
      const problem = withLog(`${service.label} ended unexpectedly (${describeExit(exit)}).`, running);
      running = await this.#bringUpAgain(service, problem, deaths.length);
    }
  }

  /** Undefined when Parley stops meanwhile, or when the service does not get ready. */
  async #bringUpAgain(
    service: Service,
    problem: string,
    deaths: number,
  ): Promise<GuardedProcess | undefined> {
    for (let failures = 0; failures < FAILURES_UNTIL_GIVING_UP; failures += 1) {
      this.#say(`${problem.split('\n', 1)[0]?.replace(/ Its last log lines:$/, '')} Starting it again.`);
      await delay(backoffMs(deaths + failures - 1, { firstMs: FIRST_PAUSE_MS, maxMs: this.#longestPauseMs }));
      try {
        const running = await this.#bringUp(service);
        this.#say(`${service.label} is back.`);
        return running;
      } catch (error) {
        if (this.#isStopping) return undefined;
        problem = (error as Error).message;
      }
    }
    this.#fail(
      new LaunchError(
        `${service.label} could not be started ${FAILURES_UNTIL_GIVING_UP} times in a row. ${problem}`,
      ),
    );
    return undefined;
  }
}

/** Brings a service up without watching over it. */
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
