import { setTimeout as delay } from 'node:timers/promises';
import { describeExit, type GuardedProcess } from './guarded-process.ts';
import { LaunchError } from './launch-error.ts';
import { withLog } from './until-ready.ts';

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

const FAILURES_UNTIL_GIVING_UP = 5;
const FAILURE_WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 250;

/** Brings services up, brings them up again when they die, and stops them in the reverse order of their first start. */
export class Supervisor {
  /** Rejects when a service keeps dying. */
  readonly failed: Promise<never>;
  readonly #say: (line: string) => void;
  readonly #running = new Map<Service, GuardedProcess>();
  #isStopping = false;
  #fail!: (error: Error) => void;

  constructor(say: (line: string) => void) {
    this.#say = say;
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

  async #bringUp(service: Service): Promise<GuardedProcess> {
    await service.prepare?.();
    if (this.#isStopping) throw new LaunchError('Parley is stopping.');
    const process = service.spawn();
    this.#running.set(service, process);
    try {
      await service.ready(process);
      return process;
    } catch (error) {
      await process.stop();
      throw error;
    }
  }

  async #keepUp(service: Service, first: GuardedProcess): Promise<void> {
    const failures: number[] = [];
    let running: GuardedProcess | undefined = first;
    while (running) {
      const exit = await running.exited;
      if (this.#isStopping) return;
      const problem = withLog(`${service.label} ended unexpectedly (${describeExit(exit)}).`, running);
      running = await this.#bringUpAgain(service, problem, failures);
    }
  }

  /** Undefined when Parley stops meanwhile, or when the service has failed too often. */
  async #bringUpAgain(
    service: Service,
    problem: string,
    failures: number[],
  ): Promise<GuardedProcess | undefined> {
    for (;;) {
      failures.push(Date.now());
      const recent = failures.filter((at) => at > Date.now() - FAILURE_WINDOW_MS).length;
      if (recent >= FAILURES_UNTIL_GIVING_UP) {
        this.#fail(new LaunchError(`${service.label} failed ${recent} times in a row. ${problem}`));
        return undefined;
      }
      this.#say(`${problem.split('\n', 1)[0]?.replace(/ Its last log lines:$/, '')} Starting it again.`);
      await delay(FIRST_PAUSE_MS * 2 ** (recent - 1));
      try {
        const running = await this.#bringUp(service);
        this.#say(`${service.label} is back.`);
        return running;
      } catch (error) {
        if (this.#isStopping) return undefined;
        problem = (error as Error).message;
      }
    }
  }
}

/** The same without watching over them, for tests and benches. */
export async function startOnce(service: Service): Promise<GuardedProcess> {
  await service.prepare?.();
  const process = service.spawn();
  try {
    await service.ready(process);
    return process;
  } catch (error) {
    await process.stop();
    throw error;
  }
}
